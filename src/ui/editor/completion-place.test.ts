import { describe, expect, it } from 'vitest'
import { placeAt } from './completion-place.ts'

/** What is offered at `|`. */
function at(text: string): string {
  const place = placeAt(text.slice(0, text.indexOf('|')))
  if (place === undefined) return 'nothing'
  const { kind, word } = place
  if (kind === 'section') return `section ${word}`
  if (kind === 'plugin') return `${place.type} plugin ${word}`
  if (kind === 'option') return `option of ${place.type} ${place.name} ${word}`
  return `value of ${place.type} ${place.name} ${place.option} ${word}`
}

describe('what is written at the caret', () => {
  it.each([
    ['|', 'section '],
    ['inp|', 'section inp'],
    ['input { } |', 'section '],
    ['input { be|', 'input plugin be'],
    ['filter { if [a] == "b" { mut|', 'filter plugin mut'],
    ['filter { if [a] { drop {} } else { mut|', 'filter plugin mut'],
    ['filter { if [a] { drop {} } el|', 'filter plugin el'],
    ['filter { if [message] =~ /a{2}"/ { gr|', 'filter plugin gr'],
    ['filter { if [a|', 'nothing'],
    ['filter { if "a" in |', 'nothing'],
    ['output { stdout { |', 'option of output stdout '],
    ['output { stdout { co|', 'option of output stdout co'],
    ['output { stdout { codec => ru|', 'value of output stdout codec ru'],
    ['output { stdout { codec => rubydebug { me|', 'option of codec rubydebug me'],
    ['output { stdout { codec => rubydebug { } i|', 'option of output stdout i'],
    ['output { stdout { codec |', 'nothing'],
    ['input { file { path => "/var/log/|', 'nothing'],
    ['input { file { path => ["a", "b"] st|', 'option of input file st'],
    ['input { file { path => ["a", |', 'nothing'],
    ['filter { mutate { add_field => { "a" => "b" } re|', 'option of filter mutate re'],
    ['filter { mutate { add_field => { a|', 'nothing'],
    ['filter { mutate { id => "x # no comment" re|', 'option of filter mutate re'],
    ['filter { mutate { # a co|', 'nothing'],
    ['filter { mutate { # a comment {\n re|', 'option of filter mutate re'],
    ['filter { grok { match => { "message" => "%{WORD:a}" } } mu|', 'filter plugin mu'],
    ["filter { mutate { add_tag => 'it\\'s' re|", 'option of filter mutate re'],
    ['nonsense { x|', 'nothing'],
    ['} } |', 'section '],
  ])('%s', (text, offered) => {
    expect(at(text)).toBe(offered)
  })

  it('knows which options are there already, and where else may follow', () => {
    expect(placeAt('filter { mutate { id => "a" "add_tag" => ["b"] ')).toMatchObject({
      used: new Set(['id', 'add_tag']),
    })
    expect(placeAt('filter { if [a] { } ')).toMatchObject({ afterBranch: true })
    expect(placeAt('filter { drop { } ')).toMatchObject({ afterBranch: false })
  })

  it('reads a long text in one go', () => {
    const text = `filter { ${'mutate { add_field => { "a" => "b" } } '.repeat(20_000)} mutate { re`
    const begin = performance.now()
    expect(placeAt(text)).toMatchObject({ kind: 'option', name: 'mutate' })
    expect(performance.now() - begin).toBeLessThan(1000)
    const hostile = placeAt(`filter { mutate { id => ${'"'.repeat(100_001)}`)
    expect(hostile).toBeUndefined()
  })
})
