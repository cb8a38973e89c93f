/** What the grok differential run needs of the program, in one module that can be bundled. */
import { ciscoExamples, firewallExamples } from '../../src/grok/library/device-examples.ts'
import { monitoringExamples, serviceExamples } from '../../src/grok/library/service-examples.ts'

export { compileGrok } from '../../src/grok/compile.ts'
export { expandGrok } from '../../src/grok/expand.ts'
export { grokLibrary } from '../../src/grok/library/index.ts'
export const examples = [...ciscoExamples, ...firewallExamples, ...monitoringExamples, ...serviceExamples]
