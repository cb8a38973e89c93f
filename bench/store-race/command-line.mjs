// The options of the race, checked.
import { parseArgs } from 'node:util'
import { kinds } from './kinds.mjs'

const whole = {
  events: { default: 300_000, least: 1000, most: 50_000_000 },
  rounds: { default: 9, least: 1, most: 1000 },
  requests: { default: 20, least: 1, most: 1000 },
  'warm-up': { default: 100, least: 0, most: 10_000 },
  seconds: { default: 15, least: 0, most: 3600 },
  clients: { default: 8, least: 1, most: 100 },
  seed: { default: 1, least: 0, most: 2 ** 32 - 1 },
}

export function raceOptions(argv) {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      ...Object.fromEntries(Object.keys(whole).map((name) => [name, { type: 'string' }])),
      only: { type: 'string' },
      bin: { type: 'string' },
      json: { type: 'string' },
      opensearch: { type: 'string' },
      'no-opensearch': { type: 'boolean', default: false },
      'force-merge': { type: 'boolean', default: false },
    },
  })
  if (positionals.length !== 1) throw new Error('store-race runs alone, without other cases')
  if (values['no-opensearch'] && values.opensearch !== undefined) {
    throw new Error('--opensearch and --no-opensearch exclude each other')
  }
  const numbers = Object.keys(whole).map((name) => [name, wholeNumber(values[name], name)])
  return { ...values, ...Object.fromEntries(numbers), only: chosen(values.only) }
}

function wholeNumber(text, name) {
  const { default: usual, least, most } = whole[name]
  const value = text === undefined ? usual : Number(text)
  if (!Number.isInteger(value) || value < least || value > most || text === '') {
    throw new Error(`--${name} must be a whole number from ${least} to ${most}`)
  }
  return value
}

function chosen(text) {
  const all = kinds.map(({ name }) => name)
  const names = text?.split(',') ?? all
  const unknown = names.filter((name) => !all.includes(name))
  if (unknown.length > 0) throw new Error(`no kind ${unknown.join(', ')}; there are ${all.join(', ')}`)
  return all.filter((name) => names.includes(name))
}
