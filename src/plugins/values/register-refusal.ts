/**
 * The error of a filter whose options cannot work together, in the words Logstash uses when a plugin
 * refuses to register.
 */
export function refuseToRegister(plugin: string, reason: string): never {
  throw new Error(`Cannot register filter ${plugin} plugin. The error reported is:\n  ${reason}`)
}
