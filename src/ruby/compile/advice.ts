/** What to do instead of what the ruby filter does not run, for those things that people look for. */

const commands = 'no command is run from code: use the `exec` input or output, or a `pipe`'
const code = 'texts do not become code here: write the code itself, or read data with `JSON` or `YAML`'
const names = 'names are looked up by the `dns` filter, which does not hold up other events meanwhile'
const requests = 'other servers are asked by the `http` filter'

const advice: ReadonlyMap<string, string> = new Map([
  ...['xstring', 'interpolated xstring', 'system', 'exec', 'spawn', 'fork'].map((name): [string, string] => [
    name,
    commands,
  ]),
  ...['open3', 'Open3', 'IO.popen'].map((name): [string, string] => [name, commands]),
  ...['eval', 'instance_eval', 'class_eval', 'binding'].map((name): [string, string] => [name, code]),
  ...['resolv', 'Resolv', 'Addrinfo', 'IPSocket.getaddress'].map((name): [string, string] => [name, names]),
  ...['net/http', 'open-uri', 'Net::HTTP', 'httparty', 'rest-client', 'faraday'].map(
    (name): [string, string] => [name, requests],
  ),
])

/** `what` as a refusal names it: a library or a method in backticks, a kind of node. */
export function adviceFor(what: string): string | undefined {
  const [, name = ''] = /`([^`]+)`/.exec(what) ?? []
  return advice.get(name) ?? advice.get(name.replace(/\.\w+[!?]?$/, ''))
}
