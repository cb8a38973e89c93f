/** Both engines of the ruby filter in one module, for the comparison of the two. */
export { rubyMachine } from '../../src/plugins/filters/ruby/wasm/machine.ts'
export { compileProgram, exceptionOf, inspectValue } from '../../src/ruby/program.ts'
