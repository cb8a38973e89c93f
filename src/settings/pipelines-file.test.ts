import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SettingsError } from './errors.ts'
import { type ResolvedPipelines, readPipelinesFile, resolvePipelines } from './pipelines-file.ts'
import { readSettings } from './read-settings.ts'
import { environmentLookup } from './substitution.ts'

let directory = ''
let path = ''

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-pipelines-'))
  path = join(directory, 'pipelines.yml')
})

afterEach(() => rm(directory, { recursive: true, force: true }))

const variables = environmentLookup({ ID: 'from_env', QUOTED: '"q"' })

async function read(text: string | null, argv: string[] = []): Promise<ResolvedPipelines> {
  if (text !== null) await writeFile(path, text)
  const settings = await readSettings({
    argv: ['--path.settings', directory, ...argv],
    env: {},
    home: directory,
  })
  return readPipelinesFile(settings, variables)
}

async function failure(text: string | null): Promise<SettingsError> {
  const error = await read(text).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(SettingsError)
  return error as SettingsError
}

describe('pipelines.yml', () => {
  it('gives each pipeline its own settings', async () => {
    const { pipelines, warnings } = await read(
      '- pipeline.id: one\n  path.config: "/a/*.conf"\n  pipeline.workers: 1\n  queue.type: persisted\n  queue.max_bytes: 1gb\n- pipeline.id: two\n  config.string: "input { stdin { } }"\n  pipeline.ordered: true\n',
      ['-b', '33'],
    )
    expect(pipelines.map((pipeline) => pipeline.get('pipeline.id'))).toEqual(['one', 'two'])
    expect(pipelines[0]?.get('pipeline.workers')).toBe(1)
    expect(pipelines[0]?.get('queue.max_bytes')).toBe(1073741824)
    expect(pipelines[0]?.get('pipeline.batch.size')).toBe(33)
    expect(pipelines[0]?.sourceOf('queue.type')).toBe('pipeline')
    expect(pipelines[1]?.get('queue.type')).toBe('memory')
    expect(pipelines[1]?.get('pipeline.ordered')).toBe('true')
    expect(warnings).toEqual([])
  })

  it('gives the outputs of one pipeline queues of their own', async () => {
    const { pipelines } = await read(
      '- pipeline.id: one\n  output.isolation: true\n  config.string: "input { stdin { } }"\n- pipeline.id: two\n  config.string: "input { stdin { } }"\n',
    )
    expect(pipelines.map((pipeline) => pipeline.get('output.isolation'))).toEqual([true, false])
  })

  it('replaces variables everywhere and does not refine', async () => {
    const { pipelines } = await read(
      '- pipeline.id: ${ID}\n  config.string: |\n    # ${ID}\n    filter { x { y => ${QUOTED} } }\n',
    )
    expect(pipelines[0]?.get('pipeline.id')).toBe('from_env')
    expect(pipelines[0]?.get('config.string')).toBe('# from_env\nfilter { x { y => "q" } }\n')
  })

  it('must be there and be a list', async () => {
    expect((await failure(null)).message).toBe(`Failed to read pipelines yaml file. Location: ${path}`)
    expect((await failure('- [')).message).toBe(`Failed to read pipelines yaml file. Location: ${path}`)
    expect((await failure('# nothing\n')).message).toBe(`Pipelines YAML file is empty. Location: ${path}`)
    expect((await failure('pipeline.id: x\n')).message).toBe(
      `Pipelines YAML file must contain an array of pipeline configs. Found "Hash" in ${path}`,
    )
    expect((await failure('text\n')).message).toContain('Found "String"')
    expect((await failure('- text\n')).message).toContain('Entry 1 is "String"')
  })

  it('has each id once', async () => {
    const text = '- pipeline.id: a\n  path.config: x\n- pipeline.id: a\n  path.config: y\n- path.config: z\n'
    expect((await failure(text)).message).toBe(
      `Pipelines YAML file contains duplicate pipeline ids: ["a"]. Location: ${path}`,
    )
  })

  it('has settings of pipelines only', async () => {
    const { message } = await failure('- pipeline.id: a\n  http.port: 1\n')
    expect(message).toMatch(
      /^Only pipeline related settings are expected\. Received "http\.port"\. Allowed settings: \["config\.debug", "config\.support_escapes", "config\.string", /,
    )
    expect((await failure('- pipeline:\n    id: a\n')).message).toContain('Received "pipeline".')
    expect((await failure('- pipeline.id: a\n  pipeline.workers: 0\n')).message).toContain(
      'Number must be bigger than 0',
    )
  })

  it('drops reload settings with a deprecation', async () => {
    const { pipelines, warnings } = await read(
      '- pipeline.id: a\n  path.config: x\n  config.reload.automatic: true\n',
    )
    expect(pipelines[0]?.get('config.reload.automatic')).toBe(false)
    expect(warnings).toEqual([
      {
        kind: 'deprecation',
        message:
          'Config option "config.reload.automatic", set for pipeline "a", is deprecated as a pipeline override setting. Please only set it at the process level.',
      },
    ])
  })
})

describe('resolvePipelines', () => {
  it('ignores the file when -e or -f is given', async () => {
    const settings = await readSettings({
      argv: ['--path.settings', directory, '-e', ''],
      env: {},
      home: directory,
    })
    const { pipelines, warnings } = await resolvePipelines(settings, variables)
    expect(pipelines).toEqual([settings])
    expect(warnings).toEqual([
      {
        kind: 'warning',
        message: `Ignoring the 'pipelines.yml' file because command line options are specified`,
      },
    ])
  })

  it('reads the file otherwise', async () => {
    await writeFile(path, '- path.config: x\n')
    const settings = await readSettings({ argv: ['--path.settings', directory], env: {}, home: directory })
    expect((await resolvePipelines(settings, variables)).pipelines[0]?.get('path.config')).toBe('x')
  })
})
