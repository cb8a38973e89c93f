/**
 * What can be told from the text of a program before it is compiled: the methods and constants it defines,
 * whether it changes strings in place, keeps state from event to event, makes further events.
 */
import {
  ArrayNode,
  CallNode,
  ConstantReadNode,
  ConstantWriteNode,
  DefNode,
  HashNode,
  InstanceVariableReadNode,
  LocalVariableReadNode,
  type Node,
  SymbolNode,
} from '@ruby/prism/src/nodes.js'
import { stringChangers } from './core/string-change.ts'
import { kindOf } from './prism.ts'

export interface Findings {
  readonly methods: Set<string>
  readonly constants: Set<string>
  changesStrings: boolean
  readsMatch: boolean
  /** Instance, class or global variables, or constants, that are assigned or changed. */
  assignsShared: boolean
  /** Whether `new_event_block` is named. */
  emits: boolean
  /** `event['field']`, which Logstash gave up with version 5. */
  readsEventDirectly: boolean
}

export function emptyFindings(): Findings {
  return {
    methods: new Set(),
    constants: new Set(),
    changesStrings: false,
    readsMatch: false,
    assignsShared: false,
    emits: false,
    readsEventDirectly: false,
  }
}

/** Methods whose result is a list or hash, as far as the name tells. */
const collectionMakers = new Set([
  'to_hash',
  'to_h',
  'to_a',
  'keys',
  'values',
  'split',
  'scan',
  'map',
  'collect',
  'select',
  'filter',
  'reject',
  'zip',
  'compact',
  'flatten',
  'uniq',
  'sort',
  'sort_by',
  'group_by',
  'chars',
  'lines',
  'each_slice',
  'merge',
  'transform_values',
  'Array',
  'Hash',
])
/** What changes a value in place that a variable may share between events. */
const sharedChangers =
  /^(?:\[\]=|<<|push|append|concat|store|delete.*|clear|shift|pop|unshift|merge!|update|add|insert|[a-z_]+!)$/

/** What gives a part of a list or hash. */
const insideNames = /^(?:\[\]|fetch|dig|first|last)$/

type Variables = Map<string, boolean>

export function analyse(tree: Node, findings: Findings): void {
  const onlyCollections: Variables = new Map()
  walk(tree, (node) => noteAssignment(node, onlyCollections))
  walk(tree, (node) => look(node, findings, onlyCollections))
}

export function analyseMethods(tree: Node, findings: Findings, counts: (name: string) => boolean): void {
  walk(tree, (node) => {
    if (node instanceof DefNode && counts(node.name)) analyse(node, findings)
  })
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const child of node.compactChildNodes()) walk(child as Node, visit)
}

const writesVariable = /^(?:Local|Instance)Variable(?:Or|And|Operator)?(?:Write|Target)Node$/
const namesParameter = /ParameterNode$/

/** Remembers for every variable whether all its values are lists or hashes. */
function noteAssignment(node: Node, known: Variables): void {
  const kind = kindOf(node)
  if (!writesVariable.test(kind) && !namesParameter.test(kind)) return
  const { name, value } = node as unknown as { name: string | null; value?: Node }
  if (name === null || name === undefined) return
  const holds =
    value !== undefined &&
    writesVariable.test(kind) &&
    !kind.includes('Operator') &&
    isCollection(value, known)
  known.set(name, holds && known.get(name) !== false)
}

function isCollection(node: Node | null, known: Variables): boolean {
  if (node instanceof ArrayNode || node instanceof HashNode) return true
  if (node instanceof LocalVariableReadNode || node instanceof InstanceVariableReadNode)
    return known.get(node.name) === true
  if (!(node instanceof CallNode)) return false
  if (node.name === 'new') return node.receiver instanceof ConstantReadNode && node.receiver.name !== 'String'
  return collectionMakers.has(node.name)
}

function look(node: Node, findings: Findings, known: Variables): void {
  const kind = kindOf(node)
  if (node instanceof DefNode) findings.methods.add(node.name)
  else if (node instanceof ConstantWriteNode) findings.constants.add(node.name)
  else if (node instanceof SymbolNode) {
    if (stringChangers.has(node.unescaped.value)) findings.changesStrings = true
  } else if (node instanceof CallNode) lookAtCall(node, findings, known)
  else if (node instanceof LocalVariableReadNode && node.name === 'new_event_block') findings.emits = true
  if (/^(?:NumberedReference|BackReference)ReadNode$|^MatchWriteNode$/.test(kind)) findings.readsMatch = true
  if (
    kind === 'GlobalVariableReadNode' &&
    /^\$(?:~|LAST_MATCH_INFO)$/.test((node as unknown as { name: string }).name)
  ) {
    findings.readsMatch = true
  }
  if (
    /^(?:Instance|Global|Class)Variable\w*(?:Write|Target)Node$|^Constant\w*(?:Write|Target)Node$/.test(kind)
  ) {
    findings.assignsShared = true
  }
  if (/^Index\w*WriteNode$|^IndexTargetNode$/.test(kind)) {
    const { receiver } = node as unknown as { receiver: Node | null }
    noteChange('[]=', receiver, findings, known)
  }
}

function lookAtCall(node: CallNode, findings: Findings, known: Variables): void {
  const { name, receiver } = node
  if (
    (name === '[]' || name === '[]=') &&
    receiver instanceof LocalVariableReadNode &&
    receiver.name === 'event'
  ) {
    findings.readsEventDirectly = true
  }
  if (name === 'last_match') findings.readsMatch = true
  if (name === 'instance_variable_set') findings.assignsShared = true
  noteChange(name, receiver, findings, known)
}

/** A variable that outlives the event, or something inside of it: `@seen`, `@seen[id][:times]`. */
function isShared(node: Node | null): boolean {
  if (node === null) return false
  if (node instanceof CallNode) return insideNames.test(node.name) && isShared(node.receiver)
  return /^(?:(?:Instance|Global|Class)Variable|Constant)ReadNode$/.test(kindOf(node))
}

function noteChange(name: string, receiver: Node | null, findings: Findings, known: Variables): void {
  if (receiver === null && !/^(?:send|__send__|public_send)$/.test(name)) return
  if (sharedChangers.test(name) && isShared(receiver)) findings.assignsShared = true
  if (!stringChangers.has(name)) return
  if (receiver instanceof LocalVariableReadNode && receiver.name === 'event') return
  if (!isCollection(receiver, known)) findings.changesStrings = true
}
