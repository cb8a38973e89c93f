/**
 * Loads names of OIDs from files: `.dic` as `smidump -k -f python` writes it, `.yaml` with a name and its OID per line as
 * ruby-snmp has it, and MIB modules in their own language (`.mib`, `.my`, `.txt`). Of a folder all such files are read.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { PluginLogger } from '../../plugin/define.ts'
import { type Definition, readModules, resolveDefinitions } from './mib-text.ts'
import { identifiersOf, type OidNames } from './oid-names.ts'
import { type Literal, readLiteral } from './python-literal.ts'

const moduleTypes = ['.mib', '.my', '.txt']
const types = ['.dic', '.yaml', '.yml', ...moduleTypes]
const maxFileBytes = 32 * 1024 * 1024

export async function loadMibs(
  paths: readonly string[],
  names: OidNames,
  logger: PluginLogger,
): Promise<void> {
  const definitions: Definition[] = []
  for (const path of paths) {
    for (const file of await filesOf(path)) {
      const { size } = await stat(file)
      if (size > maxFileBytes)
        throw new Error(`Error reading MIB file: ${file} has more than ${maxFileBytes} bytes`)
      const text = await readFile(file, 'utf8')
      try {
        const type = extname(file).toLowerCase()
        if (type === '.dic') addDictionary(text, file, names, logger)
        else if (type === '.yaml' || type === '.yml') addYaml(text, file, names, logger)
        else definitions.push(...readModules(text))
      } catch (error) {
        throw new Error(`Error parsing MIB file: ${file}: ${(error as Error).message}`, { cause: error })
      }
    }
  }
  if (definitions.length > 0) names.add([1], { name: 'iso', module: 'SNMPv2-SMI' })
  // Modules that are named after an RFC are older than those that took their objects over.
  const isOld = ({ module }: Definition) => module.startsWith('RFC')
  const ordered = [...definitions.filter(isOld), ...definitions.filter((one) => !isOld(one))]
  for (const [{ name, module, labels }, oid] of resolveDefinitions(ordered))
    names.add(oid, { name, module, labels })
}

async function filesOf(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const names = (await readdir(path)).sort()
  return names.filter((name) => types.includes(extname(name).toLowerCase())).map((name) => join(path, name))
}

function addDictionary(text: string, file: string, names: OidNames, logger: PluginLogger): void {
  const mark = text.indexOf('MIB = ')
  const mib = readLiteral(text, mark < 0 ? 0 : mark + 6)
  const nodes = mib instanceof Map ? mib.get('nodes') : undefined
  if (!(mib instanceof Map) || !(nodes instanceof Map)) {
    logger.warn(`The MIB file \`${file}\` does not contain any node definition. Skipping`)
    return
  }
  const notifications = mib.get('notifications')
  for (const part of [nodes, notifications]) {
    if (!(part instanceof Map)) continue
    for (const [name, node] of part) {
      if (node instanceof Map) addNode(name, node, file, names, logger)
    }
  }
}

function addNode(
  name: string,
  node: ReadonlyMap<string, Literal>,
  file: string,
  names: OidNames,
  logger: PluginLogger,
): void {
  const oid = node.get('oid')
  if (oid === undefined) {
    logger.warn(`The MIB file \`${file}\` node \`${name}\` has no defined OID. Skipping`)
    return
  }
  const identifiers = identifiersOf(String(oid))
  if (identifiers === undefined) {
    logger.warn(`The MIB file \`${file}\` node \`${name}\` has an invalid OID value \`${oid}\`. Skipping`)
    return
  }
  const module = node.get('moduleName')
  names.add(identifiers, {
    name,
    module: typeof module === 'string' ? module : basename(file, extname(file)),
    labels: labelsOf(node.get('syntax')),
  })
}

/** `"syntax": { "type": { "basetype": "Enumeration", "up": { "nodetype": "namednumber", "number": "1" } } }` */
function labelsOf(syntax: Literal | undefined): ReadonlyMap<number, string> | undefined {
  const type = syntax instanceof Map ? syntax.get('type') : undefined
  if (!(type instanceof Map)) return undefined
  const labels = new Map<number, string>()
  for (const [name, value] of type) {
    if (!(value instanceof Map) || value.get('nodetype') !== 'namednumber') continue
    const number = Number(value.get('number'))
    if (Number.isInteger(number)) labels.set(number, name)
  }
  return labels.size > 0 ? labels : undefined
}

/** Lines of `name: 1.3.6.1`, after `---`. */
function addYaml(text: string, file: string, names: OidNames, logger: PluginLogger): void {
  const module = basename(file, extname(file))
  for (const line of text.split('\n')) {
    const [, name, oid] = /^\s*["']?([\w-]+)["']?\s*:\s*["']?([\d.]+)["']?\s*$/.exec(line) ?? []
    if (name === undefined || oid === undefined) continue
    const identifiers = identifiersOf(oid)
    if (identifiers === undefined)
      logger.warn(`The MIB file \`${file}\` node \`${name}\` has an invalid OID value \`${oid}\`. Skipping`)
    else names.add(identifiers, { name, module })
  }
}
