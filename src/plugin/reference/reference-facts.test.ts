import { expect, it } from 'vitest'
import { catalogue } from '../../plugins/catalogue.ts'
import { pluginFacts } from './reference-facts.ts'

it('tells what an option takes, with its default as it would be written', async () => {
  const facts = pluginFacts((await catalogue.load('input', 'file'))!)
  expect(facts).toMatchObject({ type: 'input', name: 'file' })
  const of = (name: string) => facts.options.find((option) => option.name === name)
  expect(of('path')).toMatchObject({ kind: 'string', list: true, required: true })
  expect(of('start_position')).toMatchObject({
    kind: 'one_of',
    values: ['beginning', 'end'],
    default: '"end"',
    required: false,
  })
  expect(of('ecs_compatibility')?.values).toEqual(['disabled', 'v1', 'v8'])
  expect(of('codec')).toMatchObject({ kind: 'codec' })
  expect(facts.options.at(-1)?.name).not.toBe('path')
})

it('leaves out what Logstash refuses', async () => {
  const names = pluginFacts((await catalogue.load('filter', 'mutate'))!).options.map(({ name }) => name)
  expect(names).toContain('add_field')
  expect(names).not.toContain('exclude_tags')
  expect(new Set(names).size).toBe(names.length)
})

it('gives every built-in plugin a sentence for each option', async () => {
  for (const type of ['input', 'filter', 'output', 'codec'] as const)
    for (const name of catalogue.names(type))
      for (const option of pluginFacts((await catalogue.load(type, name))!).options)
        expect([type, name, option.name, option.doc !== '']).toEqual([type, name, option.name, true])
})
