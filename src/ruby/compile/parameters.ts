/**
 * How arguments become the parameters of a block, lambda or method. Methods and lambdas want the right number;
 * blocks take what comes, and spread a single list over several parameters.
 */
import {
  BlockParametersNode,
  ForwardingParameterNode,
  ImplicitRestNode,
  ItParametersNode,
  KeywordRestParameterNode,
  type Node,
  NumberedParametersNode,
  OptionalKeywordParameterNode,
  type OptionalParameterNode,
  ParametersNode,
  type RequiredKeywordParameterNode,
  RequiredParameterNode,
  RestParameterNode,
} from '@ruby/prism/src/nodes.js'
import { wrongCount } from '../dispatch.ts'
import { argumentError, raise } from '../errors.ts'
import { RubyHash } from '../hash.ts'
import { inspect } from '../inspect.ts'
import type { Proc } from '../proc.ts'
import type { RubyValue } from '../ruby-class.ts'
import { RubySymbol } from '../values.ts'
import type { Frame, Run, Scope } from './scope.ts'
import { compile } from './unit.ts'
import { compileTarget, itName, type Write } from './variables.ts'

type Bind = (frame: Frame, args: RubyValue[], block: Proc | null) => void

interface Parameters {
  readonly bind: Bind
  readonly arity: number
  /** Places of the parameters when there are only plain ones. */
  readonly simple: readonly number[] | null
}

interface Keyword {
  readonly name: string
  readonly place: number
  /** Null for a required one. */
  readonly fallback: Run | null
}

interface Layout {
  required: Write[]
  optional: { place: number; fallback: Run }[]
  /** Place of `*rest`; -1 for `*` without a name; null for none. */
  rest: number | null
  post: Write[]
  keywords: Keyword[]
  keywordRest: number | null
  takesKeywords: boolean
  block: number | null
}

export function compileParameters(node: Node | null, scope: Scope, strict: boolean): Parameters {
  if (node === null) return { bind: strict ? exactly(0) : () => undefined, arity: 0, simple: [] }
  if (node instanceof NumberedParametersNode) {
    const places = Array.from({ length: node.maximum }, (_, i) => scope.place(`_${i + 1}`))
    return plain(places, strict)
  }
  if (node instanceof ItParametersNode) return plain([scope.declare(itName)], strict)
  const parameters = node instanceof BlockParametersNode ? node.parameters : node
  if (parameters === null) return { bind: strict ? exactly(0) : () => undefined, arity: 0, simple: [] }
  if (!(parameters instanceof ParametersNode)) {
    scope.unit.unsupported(node, 'these parameters')
    return plain([], false)
  }
  const { requireds, optionals, rest, posts, keywords, keywordRest, block } = parameters
  if (
    requireds.every((one) => one instanceof RequiredParameterNode) &&
    optionals.length + posts.length + keywords.length === 0 &&
    rest === null &&
    keywordRest === null &&
    block === null
  ) {
    return plain(
      requireds.map((one) => scope.place((one as RequiredParameterNode).name)),
      strict,
    )
  }
  return general(parameters, scope, strict)
}

function exactly(count: number): Bind {
  return (_, args) => {
    if (args.length !== count) wrongCount(args.length, count, count)
  }
}

function plain(places: number[], strict: boolean): Parameters {
  const count = places.length
  return {
    arity: count,
    simple: places,
    bind: (frame, given) => {
      if (strict && given.length !== count) wrongCount(given.length, count, count)
      const [only] = given
      const args = !strict && count > 1 && given.length === 1 && Array.isArray(only) ? only : given
      for (let i = 0; i < count; i++) frame.vars[places[i]!] = positional(args[i] ?? null)
    },
  }
}

/** `key: value` arguments that no keyword parameter takes are a hash like any other. */
function positional(value: RubyValue): RubyValue {
  if (!(value instanceof RubyHash) || !value.isKeywords) return value
  const copy = value.copy()
  return copy
}

function general(node: ParametersNode, scope: Scope, strict: boolean): Parameters {
  const layout = readLayout(node, scope)
  const min = layout.required.length + layout.post.length
  const max = layout.rest === null ? min + layout.optional.length : Number.POSITIVE_INFINITY
  const needsKeyword = layout.keywords.some(({ fallback }) => fallback === null)
  const open = max !== min || (layout.takesKeywords && needsKeyword && min === 0 && false)
  const trailingComma = node.rest instanceof ImplicitRestNode
  const spreads =
    !strict &&
    (min + layout.optional.length > 1 ||
      (layout.rest !== null && min + layout.optional.length > 0) ||
      trailingComma)
  return {
    simple: null,
    arity:
      open && !(trailingComma && layout.optional.length === 0)
        ? -min - 1
        : min + (needsKeyword && min === 0 ? 1 : 0),
    bind: (frame, given, block) => {
      let args = given
      if (spreads && args.length === 1 && Array.isArray(args[0])) args = args[0]
      let keywords: RubyHash | null = null
      const last = args[args.length - 1]
      if (layout.takesKeywords && last instanceof RubyHash && last.isKeywords) {
        keywords = last
        args = args.slice(0, -1)
      }
      if (strict && (args.length < min || args.length > max)) {
        if (needsKeyword && keywords === null && args.length >= min) missing(layout.keywords, null)
        wrongCount(args.length, min, max)
      }
      spread(frame, args, layout)
      if (layout.takesKeywords) bindKeywords(frame, keywords, layout)
      if (layout.block !== null) frame.vars[layout.block] = block
    },
  }
}

function readLayout(node: ParametersNode, scope: Scope): Layout {
  const { requireds, optionals, rest, posts, keywords, keywordRest, block } = node
  if (keywordRest instanceof ForwardingParameterNode)
    scope.unit.unsupported(keywordRest, 'the parameter `...`')
  return {
    required: requireds.map((one) => compileTarget(one, scope)),
    optional: optionals.map((one) => {
      const { name, value } = one as OptionalParameterNode
      return { place: scope.place(name), fallback: compile(value, scope) }
    }),
    rest:
      rest instanceof RestParameterNode
        ? rest.name === null
          ? -1
          : scope.place(rest.name)
        : rest === null
          ? null
          : -1,
    post: posts.map((one) => compileTarget(one, scope)),
    keywords: keywords.map((one) => {
      const name = (one as RequiredKeywordParameterNode).name
      return {
        name,
        place: scope.place(name),
        fallback: one instanceof OptionalKeywordParameterNode ? compile(one.value, scope) : null,
      }
    }),
    keywordRest:
      keywordRest instanceof KeywordRestParameterNode
        ? keywordRest.name === null
          ? -1
          : scope.place(keywordRest.name)
        : null,
    takesKeywords: keywords.length > 0 || keywordRest instanceof KeywordRestParameterNode,
    block: block?.name == null ? null : scope.place(block.name),
  }
}

function spread(frame: Frame, args: RubyValue[], { required, optional, rest, post }: Layout): void {
  const { vars } = frame
  let next = 0
  for (const write of required) write(frame, positional(args[next++] ?? null))
  let free = Math.max(0, args.length - required.length - post.length)
  for (const { place, fallback } of optional) {
    if (free > 0) {
      vars[place] = positional(args[next++]!)
      free--
    } else vars[place] = fallback(frame)
  }
  const taken = rest === null ? 0 : free
  if (rest !== null && rest >= 0) vars[rest] = args.slice(next, next + taken)
  next += taken
  for (const write of post) write(frame, positional(args[next++] ?? null))
}

function bindKeywords(frame: Frame, given: RubyHash | null, { keywords, keywordRest }: Layout): void {
  const rest = given === null ? new RubyHash() : given.copy()
  for (const { name, place, fallback } of keywords) {
    const value = rest.delete(new RubySymbol(name))
    if (value !== undefined) frame.vars[place] = value
    else if (fallback !== null) frame.vars[place] = fallback(frame)
    else missing(keywords, given)
  }
  if (keywordRest !== null) {
    if (keywordRest >= 0) frame.vars[keywordRest] = rest
  } else if (rest.size > 0) {
    const names = rest.keys().map((key) => inspect(key))
    raise(argumentError, `unknown keyword${names.length > 1 ? 's' : ''}: ${names.join(', ')}`)
  }
}

function missing(keywords: readonly Keyword[], given: RubyHash | null): never {
  const names = keywords
    .filter(({ name, fallback }) => fallback === null && given?.has(new RubySymbol(name)) !== true)
    .map(({ name }) => `:${name}`)
  raise(argumentError, `missing keyword${names.length > 1 ? 's' : ''}: ${names.join(', ')}`)
}
