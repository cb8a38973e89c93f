import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { catalogue } from '../../src/plugins/catalogue.ts'

const readme = readFileSync('README.md', 'utf8')

it.each(['input', 'filter', 'output', 'codec'] as const)('the README names every %s', (type) => {
  const row = new RegExp(`^\\| ${type}s \\| (.*) \\|$`, 'm').exec(readme)![1]!
  const named = row.split(' ').map((name) => name.replaceAll('`', ''))
  expect(named).toEqual([...catalogue.names(type)].sort())
})
