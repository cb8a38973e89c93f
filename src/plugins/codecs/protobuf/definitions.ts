/** The message type that the options of the codec name, with everything it refers to. */
import { statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { readProtoFile } from './proto-file.ts'
import { readRubyFile } from './ruby-file.ts'
import { type FieldDeclaration, type MessageType, SchemaSet } from './schema.ts'

interface DefinitionSources {
  readonly className: string
  readonly classFile: string | undefined
  readonly root: string | undefined
  readonly includePath: readonly string[]
}

export function loadDefinitions(sources: DefinitionSources): { type: MessageType; set: SchemaSet } {
  const { className, classFile, root, includePath } = sources
  const set = wellKnown()
  const builtIn = set.size
  const files = [...includePath]
  if (classFile !== undefined)
    files.push(isAbsolute(classFile) || root === undefined ? classFile : join(root, classFile))
  for (const file of files) {
    const folders = [...(root === undefined ? [] : [root]), dirname(file)]
    if (statSync(file).isDirectory()) throw new Error(`${file} is a folder; name a file`)
    if (file.endsWith('.proto')) readProtoFile(file, folders, set)
    else readRubyFile(file, folders, set)
  }
  if (set.size === builtIn) throw new Error(`No definitions were found in ${files.join(', ')}`)
  const type = set.get(className.replace(/^::/, '').replaceAll('::', '.'))
  if (type?.kind !== 'message')
    throw new Error(`The message ${className} is not defined in ${files.join(', ')}`)
  return { type, set }
}

/** Those that protoc brings along. */
function wellKnown(): SchemaSet {
  const set = new SchemaSet()
  const field = (name: string, number: number, type: string): FieldDeclaration => ({
    name,
    number,
    type,
    isRepeated: false,
    mapKey: undefined,
    oneof: undefined,
    hasPresence: false,
  })
  for (const name of ['Timestamp', 'Duration']) {
    const fields = [field('seconds', 1, 'int64'), field('nanos', 2, 'int32')]
    set.add({ kind: 'message', name: `google.protobuf.${name}`, fields })
  }
  const wrapped = {
    Double: 'double',
    Float: 'float',
    Int64: 'int64',
    UInt64: 'uint64',
    Int32: 'int32',
    UInt32: 'uint32',
  }
  for (const [name, type] of Object.entries({ ...wrapped, Bool: 'bool', String: 'string', Bytes: 'bytes' }))
    set.add({ kind: 'message', name: `google.protobuf.${name}Value`, fields: [field('value', 1, type)] })
  return set
}
