/** Random filters and events for the comparison with the naive interpreter, and the filters as config text. */
import fc from 'fast-check'
import {
  type Branch,
  type Mutate,
  type Path,
  reference,
  type Stage,
  type Template,
  type Test,
} from './naive.ts'

const name = fc.constantFrom('a', 'b', 'c', 'n', '__proto__', 'constructor', 'toString', 'value', 'a b')
export const path: fc.Arbitrary<Path> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(name) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('n', 'a', '__proto__'), name) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('n', 'm'), name, name) },
)
const word = fc.constantFrom('x', 'y', 'xy', 'X', '', 'false', '0', '5', 'éÀß')
const number = fc.constantFrom(0, 1, 5, -3)

const scalar = fc.oneof(word, number, fc.boolean(), fc.constant(null))
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 2 },
    scalar,
    fc.array(scalar, { maxLength: 3 }),
    fc.array(fc.tuple(name, tie('any')), { maxLength: 3 }).map(objectOf),
  ),
})).any

/** JSON text of an event; names such as `__proto__` are members like any other. */
export const eventJson: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(fc.tuple(fc.oneof(name, fc.constant('m')), value), { maxLength: 5 }),
    fc.option(fc.array(fc.constantFrom('t', 'u'), { maxLength: 2 }), { nil: undefined }),
  )
  .map(([members, tags]) =>
    JSON.stringify(objectOf([...members, ['@timestamp', '2020-01-02T03:04:05.678Z'], ['tags', tags]])),
  )

function objectOf(members: [string, unknown][]): object {
  const object = {}
  for (const [key, item] of members) {
    Object.defineProperty(object, key, { value: item, enumerable: true, configurable: true, writable: true })
  }
  return object
}

const template: fc.Arbitrary<Template> = fc.record(
  { before: fc.constantFrom('', 'p-', 'x'), path, after: fc.constantFrom('', '-s', '}') },
  { requiredKeys: ['before', 'after'] },
)

function some<T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant<T[]>([]) },
    { weight: 1, arbitrary: fc.array(item, { maxLength: 2 }) },
  )
}

/** Keys of one hash differ: equal ones would be a configuration error. */
function pairs<T>(item: fc.Arbitrary<T>): fc.Arbitrary<[Path, T][]> {
  return some(fc.tuple(path, item)).map((found) => [
    ...new Map(found.map((pair) => [reference(pair[0]), pair] as const)).values(),
  ])
}

const mutate: fc.Arbitrary<Mutate> = fc.record({
  kind: fc.constant('mutate' as const),
  rename: pairs(path),
  update: pairs(template),
  replace: pairs(template),
  uppercase: some(path),
  lowercase: some(path),
  copy: pairs(path),
  add_field: pairs(template),
  remove_field: some(path),
  add_tag: some(fc.constantFrom('t', 'v')),
  remove_tag: some(fc.constantFrom('t', 'u')),
})

const test = fc.letrec<{ test: Test }>((tie) => ({
  test: fc.oneof(
    { maxDepth: 3 },
    fc.record({ kind: fc.constant('truth' as const), path }),
    fc.record({
      kind: fc.constant('equal' as const),
      path,
      value: fc.oneof(word, number),
      negated: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('inList' as const),
      path,
      list: fc.array(fc.oneof(word, number), { minLength: 2, maxLength: 3 }),
      negated: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('textIn' as const), text: word, path, negated: fc.boolean() }),
    fc.record({
      kind: fc.constant('match' as const),
      path,
      text: word.filter((text) => text !== ''),
      negated: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('not' as const), test: tie('test') }),
    fc.record({
      kind: fc.constant('both' as const),
      operator: fc.constantFrom('and' as const, 'or' as const),
      left: tie('test'),
      right: tie('test'),
    }),
  ),
})).test

export const stages: fc.Arbitrary<Stage[]> = fc.letrec<{ stage: Stage; stages: Stage[]; branch: Branch }>(
  (tie) => ({
    stage: fc.oneof(
      { maxDepth: 3 },
      { weight: 5, arbitrary: mutate },
      { weight: 4, arbitrary: tie('branch') },
      { weight: 1, arbitrary: fc.constant({ kind: 'drop' as const }) },
    ),
    stages: fc.array(tie('stage'), { maxLength: 3 }),
    branch: fc.record({
      kind: fc.constant('if' as const),
      cases: fc.array(fc.record({ test, body: tie('stages') }), { minLength: 1, maxLength: 3 }),
      otherwise: fc.option(tie('stages'), { nil: undefined }),
    }),
  }),
).stages

// ------------------------------------------------------------------------------------------ config text

export function printStages(list: readonly Stage[]): string {
  return list.map(printStage).join('\n')
}

function printStage(stage: Stage): string {
  if (stage.kind === 'drop') return 'drop { }'
  if (stage.kind === 'mutate') return printMutate(stage)
  const cases = stage.cases.map(({ test, body }) => `if ${printTest(test)} {\n${printStages(body)}\n}`)
  const otherwise = stage.otherwise === undefined ? '' : ` else {\n${printStages(stage.otherwise)}\n}`
  return cases.join(' else ') + otherwise
}

function printMutate({ kind: _, ...operations }: Mutate): string {
  const options = Object.entries(operations)
    .filter(([, items]) => items.length > 0)
    .map(([option, items]) => `${option} => ${printItems(items)}`)
  return `mutate { ${options.join('\n')} }`
}

function printItems(items: Mutate[Exclude<keyof Mutate, 'kind'>]): string {
  const isHash = items.some((item) => Array.isArray(item) && item.length === 2 && typeof item[0] !== 'string')
  if (!isHash) return `[${(items as (string | Path)[]).map(quoteReference).join(', ')}]`
  const entries = (items as [Path, Path | Template][]).map(
    ([key, item]) =>
      `${quoteReference(key)} => ${'before' in item ? printTemplate(item) : quoteReference(item)}`,
  )
  return `{ ${entries.join(' ')} }`
}

function quoteReference(item: string | Path): string {
  return `"${typeof item === 'string' ? item : reference(item)}"`
}

function printTemplate({ before, path, after }: Template): string {
  return `"${before}${path === undefined ? '' : `%{${reference(path)}}`}${after}"`
}

function printTest(test: Test): string {
  switch (test.kind) {
    case 'truth':
      return reference(test.path)
    case 'equal':
      return `${reference(test.path)} ${test.negated ? '!=' : '=='} ${JSON.stringify(test.value)}`
    case 'inList':
      return `${reference(test.path)} ${test.negated ? 'not in' : 'in'} ${JSON.stringify(test.list)}`
    case 'textIn':
      return `"${test.text}" ${test.negated ? 'not in' : 'in'} ${reference(test.path)}`
    case 'match':
      return `${reference(test.path)} ${test.negated ? '!~' : '=~'} /${test.text}/`
    case 'not':
      return `!(${printTest(test.test)})`
    case 'both':
      return `(${printTest(test.left)}) ${test.operator} (${printTest(test.right)})`
  }
}
