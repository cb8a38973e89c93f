/** `millrace docs`: the reference page of a plugin from its declaration, without a network. */

import type { PluginType } from '../../plugin/define.ts'
import { pluginTypes, referencePage } from '../../plugin/reference/reference.ts'
import { catalogue } from '../../plugins/catalogue.ts'
import { nearestName } from '../../settings/errors.ts'
import { processOutput } from '../command-output.ts'
import { runCommand } from '../run-command.ts'

const usage = `Usage: millrace docs [input|filter|output|codec] NAME
       millrace docs

Prints what a plugin does, with every option, its default and examples. Without a name: all plugins there are.
`

const rules = { usage, command: 'docs' }

export async function docsCommand(args: readonly string[], output = processOutput()): Promise<number> {
  return runCommand(args, output, rules, async (given) => {
    const [first, second] = given.words
    if (first === undefined) {
      for (const type of pluginTypes)
        await output.print(`${type}s: ${[...catalogue.names(type)].sort().join(', ')}\n\n`)
      return 0
    }
    const isTyped = second !== undefined && pluginTypes.includes(first.replace(/s$/, '') as PluginType)
    const name = isTyped ? second : first
    const types = isTyped ? [first.replace(/s$/, '') as PluginType] : pluginTypes
    const pages: string[] = []
    for (const type of types)
      if ([...catalogue.names(type)].includes(name)) {
        const definition = await catalogue.load(type, name)
        if (definition !== undefined) pages.push(referencePage(definition))
      }
    if (pages.length === 0) {
      const near = nearestName(
        name,
        types.flatMap((type) => [...catalogue.names(type)]),
      )
      output.tell(`There is no plugin ${name}.${near === undefined ? '' : ` Did you mean ${near}?`}\n`)
      return 1
    }
    await output.print(pages.join('\n'))
    return 0
  })
}
