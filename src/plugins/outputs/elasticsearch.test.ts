import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { outputFor, type TestOptions, type TestSettings } from '../../plugin/testing.ts'
import { certificateFiles } from '../tls/test-certificate.ts'
import type { BulkSink } from './elasticsearch/test-bulk-sink.ts'
import { output, sink } from './elasticsearch/test-output.ts'
import elasticsearch from './elasticsearch.ts'
import elasticsearchHttp from './elasticsearch-http.ts'
import opensearch from './opensearch.ts'

const time = '2015-10-01T05:06:07.089Z'

describe('elasticsearch', () => {
  it('sends a batch as one bulk request to the index of the day', async () => {
    const cluster = await sink()
    const { deliver } = await output(cluster)
    await deliver([{ a: 1 }, { a: 2 }])
    expect(cluster.bulks()).toEqual([
      [
        {
          action: 'index',
          meta: { _index: 'logstash-2015.10.01' },
          document: { a: 1, '@timestamp': time, '@version': '1' },
        },
        {
          action: 'index',
          meta: { _index: 'logstash-2015.10.01' },
          document: { a: 2, '@timestamp': time, '@version': '1' },
        },
      ],
    ])
    const bulk = cluster.requests.find(({ path }) => path === '/_bulk')!
    expect(bulk.headers['content-type']).toBe('application/json')
    expect(bulk.query).toBe('filter_path=errors,items.*.error,items.*.status')
  })

  it('fills in index, id, routing, version, pipeline and action from the event', async () => {
    const cluster = await sink()
    const { deliver } = await output(cluster, {
      index: 'i-%{kind}',
      document_id: '%{id}',
      routing: '%{r}',
      version: '%{v}',
      version_type: 'external',
      pipeline: '%{[@metadata][p]}',
      action: '%{do}',
    })
    const meta = { '@metadata': { p: '' } }
    await deliver([
      { kind: 'a', id: 'x\ny', r: 'r1', v: 3, do: 'create', '@metadata': { p: 'geo' } },
      { kind: 'b', id: 2, r: 'r2', v: 4, do: 'delete', ...meta },
    ])
    expect(cluster.items().map(({ action, meta }) => ({ action, meta }))).toEqual([
      {
        action: 'create',
        meta: {
          _index: 'i-a',
          _id: 'x\ny',
          routing: 'r1',
          pipeline: 'geo',
          version: '3',
          version_type: 'external',
        },
      },
      {
        action: 'delete',
        meta: { _index: 'i-b', _id: '2', routing: 'r2', version: '4', version_type: 'external' },
      },
    ])
  })

  it('updates with doc, upsert and script', async () => {
    const cluster = await sink()
    const common = { action: 'update', document_id: '1', index: 'i', manage_template: false }
    const send = async (options: Record<string, unknown>) => {
      const { deliver } = await output(cluster, { ...common, ...options })
      await deliver([{ a: 1 }])
      const { meta, document } = cluster.items().at(-1)!
      expect(meta).toEqual({ _index: 'i', _id: '1', retry_on_conflict: options['retry_on_conflict'] ?? 1 })
      return document
    }
    const doc = { a: 1, '@timestamp': time, '@version': '1' }
    expect(await send({ retry_on_conflict: 3 })).toEqual({ doc })
    expect(await send({ doc_as_upsert: true })).toEqual({ doc, doc_as_upsert: true })
    expect(await send({ upsert: '{"n":"%{a}"}' })).toEqual({ doc, upsert: { n: '1' } })
    const script = { params: { event: doc }, source: 's', lang: 'painless' }
    expect(await send({ script: 's' })).toEqual({ script })
    expect(await send({ script: 's', scripted_upsert: true })).toEqual({
      script,
      scripted_upsert: true,
      upsert: {},
    })
    expect(
      await send({ script: 'x', script_type: 'indexed', script_lang: '', script_var_name: 'e' }),
    ).toEqual({
      script: { params: { e: doc }, id: 'x' },
    })
  })

  it('writes parent and join field', async () => {
    const cluster = await sink()
    const { deliver } = await output(cluster, { parent: '%{p}', join_field: 'rel', document_id: '%{i}' })
    await deliver([{ p: 'mother', rel: 'child', i: 1 }])
    const [item] = cluster.items()
    expect(item!.meta).toEqual({ _index: 'logstash-2015.10.01', _id: '1', routing: 'mother' })
    expect(item!.document!['rel']).toEqual({ name: 'child', parent: 'mother' })
  })

  it('honours what @metadata says about the document', async () => {
    const cluster = await sink()
    const { deliver } = await output(cluster)
    await deliver([
      { '@metadata': { _ingest_document: { id: 'i', index: 'x', routing: 'r', pipeline: '_none' } } },
      { p: 'geo', '@metadata': { target_ingest_pipeline: 'to-%{p}' } },
    ])
    expect(cluster.items().map(({ meta }) => meta)).toEqual([
      { _index: 'x', _id: 'i', routing: 'r', pipeline: '_none' },
      { _index: 'logstash-2015.10.01', pipeline: 'to-geo' },
    ])
  })

  it('turns events away whose index has a placeholder left or whose action is none', async () => {
    const cluster = await sink()
    const { deliver, environment } = await output(cluster, { index: 'a-%{b}', action: '%{do}' })
    await deliver([{ do: 'index' }, { b: 1, do: 'jump' }, { b: 2, do: 'index' }])
    expect(cluster.items().map(({ meta }) => meta)).toEqual([{ _index: 'a-2' }])
    const warnings = environment.logger.messages('warn')
    expect(warnings[0]).toMatch(
      /^Badly formatted index, after interpolation still contains placeholder: \[a-%\{b\}\]; event: /,
    )
    expect(warnings[1]).toMatch(/^Elasticsearch doesn't support \[jump\] action/)
    expect(environment.counts.get('documents.non_retryable_failures')).toBe(2)
  })

  it('tries again only what failed for a time, and drops conflicts and bad documents', async () => {
    const statuses: Record<string, number[]> = {
      '1': [201],
      '2': [409],
      '3': [400],
      '4': [404],
      '5': [429, 503, 200],
    }
    const cluster = await sink({ item: ({ meta }, request) => statuses[meta['_id'] as string]![request]! })
    const { deliver, environment } = await output(cluster, { document_id: '%{i}' })
    await deliver([{ i: 1 }, { i: 2 }, { i: 3 }, { i: 4 }, { i: 5 }])
    expect(cluster.bulks().map((bulk) => bulk.map(({ meta }) => meta['_id']))).toEqual([
      ['1', '2', '3', '4', '5'],
      ['5'],
      ['5'],
    ])
    const { logger, counts } = environment
    expect(logger.messages('warn')).toContain('Failed action')
    expect(logger.messages('warn').filter((text) => /^Could not index event/.test(text))).toEqual([
      expect.stringMatching(/^Could not index event to Elasticsearch\. status: 400, action: \["index", /),
      expect.stringMatching(/^Could not index event to Elasticsearch\. status: 404, action: \["index", /),
    ])
    expect(Object.fromEntries(counts)).toEqual({
      'bulk_requests.successes': 1,
      'bulk_requests.with_errors': 2,
      'bulk_requests.responses.200': 3,
      'documents.successes': 2,
      'documents.retryable_failures': 2,
      'documents.non_retryable_failures': 3,
    })
  })

  it('keeps silent about chosen errors and takes further codes as final', async () => {
    const cluster = await sink({ item: ({ meta }) => (meta['_id'] === '1' ? 409 : 413) })
    const { deliver, environment } = await output(cluster, {
      document_id: '%{i}',
      failure_type_logging_whitelist: ['type_409'],
      dlq_custom_codes: [413],
    })
    await deliver([{ i: 1 }, { i: 2 }])
    expect(environment.logger.messages('warn').filter((text) => text === 'Failed action')).toEqual([])
    expect(cluster.bulks()).toHaveLength(1)
  })

  it('drops events after errors of chosen types', async () => {
    const cluster = await sink({ item: (_, request) => (request === 0 ? 503 : 200) })
    const { deliver } = await output(cluster, { drop_error_types: ['type_503'] })
    await deliver([{ a: 1 }])
    expect(cluster.bulks()).toHaveLength(1)
    const patient = await output(await sink({ item: (_, request) => (request === 0 ? 503 : 200) }))
    await patient.deliver([{ a: 1 }])
    expect(patient.environment.counts.get('documents.successes')).toBe(1)
  })

  it('repeats requests the cluster refuses as a whole', async () => {
    const cluster = await sink({ whole: (request) => [503, 429, 401, 200][request]! })
    const { deliver, environment } = await output(cluster)
    await deliver([{ a: 1 }])
    expect(cluster.requests.filter(({ path }) => path === '/_bulk')).toHaveLength(4)
    const text = 'Encountered a retryable error (will retry with exponential backoff)'
    expect(environment.logger.messages('error').filter((line) => line === text)).toHaveLength(2)
    expect(environment.logger.messages('debug')).toContain(text)
    expect(environment.counts.get('bulk_requests.failures')).toBe(3)
    expect(environment.counts.get('bulk_requests.responses.503')).toBe(1)
  })

  it('sends batches that come while a request is under way together in the next one', async () => {
    const statuses = [429, 201, 201, 201, 429, 201]
    const cluster = await sink({ item: () => statuses.shift() ?? 201 })
    const { deliver, environment } = await output(cluster, { document_id: '%{i}' })
    const settled: number[] = []
    await Promise.all(
      [1, 2, 3, 4].map((i) => deliver([{ i, '@metadata': { m: i } }]).then(() => settled.push(i))),
    )
    expect(cluster.bulks().map((bulk) => bulk.map(({ meta }) => meta['_id']))).toEqual([
      ['1'],
      ['1'],
      ['2', '3', '4'],
      ['4'],
    ])
    expect(settled).toEqual([1, 2, 3, 4])
    expect(environment.counts.get('documents.successes')).toBe(4)
  })

  it('halves a request that takes longer than the time limit, twice in a row', async () => {
    const cluster = await sink({ hangs: (items) => items > 2 })
    const { deliver } = await output(cluster, {
      document_id: '%{i}',
      timeout: 0.2,
      retry_initial_interval: 0.01,
      resurrect_delay: 0.01,
    })
    await deliver([{ i: 1 }, { i: 2 }, { i: 3 }, { i: 4 }])
    expect(cluster.bulks().map((bulk) => bulk.map(({ meta }) => meta['_id']))).toEqual([
      ['1', '2', '3', '4'],
      ['1', '2', '3', '4'],
      ['1', '2'],
      ['3', '4'],
    ])
  })

  it('halves a request that is too large', async () => {
    const cluster = await sink({ whole: (request) => (request === 0 ? 413 : 200) })
    const { deliver } = await output(cluster)
    await deliver([{ a: 1 }, { a: 2 }, { a: 3 }])
    const sizes = cluster.requests
      .filter(({ path }) => path === '/_bulk')
      .map(({ body }) => body.split('\n').length >> 1)
    expect(sizes).toEqual([3, 1, 2])
  })

  it('finds the events a request is refused for as a whole, and delivers the others', async () => {
    const cluster = await sink({ whole: (_, body) => (/bad/.test(body) ? 400 : 200) })
    const { deliver, environment } = await output(cluster)
    await deliver([{ a: 1 }, { a: 'bad' }, { a: 2 }, { a: 3 }, { a: 'bad too' }])
    expect(environment.counts.get('documents.successes')).toBe(3)
    expect(environment.counts.get('documents.non_retryable_failures')).toBe(2)
    const refusals = environment.logger.messages('warn').filter((text) => text.startsWith('Could not index'))
    expect(refusals).toHaveLength(2)
    expect(refusals[0]).toContain('action_request_validation_exception')
  })

  it('gives up a single event that is too large', async () => {
    const cluster = await sink({ whole: (_, body) => (body.includes('large') ? 413 : 200) })
    const { deliver, environment } = await output(cluster)
    await deliver([{ a: 1 }, { a: 'large' }])
    expect(environment.counts.get('documents.successes')).toBe(1)
    expect(environment.counts.get('documents.non_retryable_failures')).toBe(1)
  })

  it('goes to another host when one is gone, and comes back to it', async () => {
    const first = await sink()
    const second = await sink()
    const { port } = first
    const options = { hosts: [first.url, second.url], resurrect_delay: 0.02 }
    const { deliver, environment } = await output(first, options)
    await deliver([{ a: 0 }])
    await first.close()
    for (let a = 1; a <= 4; a++) await deliver([{ a }])
    const stored = () =>
      [...first.items(), ...second.items()].map(({ document }) => document!['a'] as number).sort()
    expect(stored()).toEqual([0, 1, 2, 3, 4])
    expect(environment.logger.messages('warn').join('\n')).toMatch(/Marking url as dead\. Last error: \[/)
    const again = await sink({}, { port })
    for (let a = 5; again.items().length === 0 && a < 500; a++) {
      await deliver([{ a }])
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(again.items().length).toBeGreaterThan(0)
    expect(environment.logger.messages('warn')).toContain('Restored connection to ES instance')
  })

  it('waits for a cluster that is not there yet', async () => {
    const { port, close } = await sink()
    await close()
    const { deliver, environment } = await output({ url: `127.0.0.1:${port}` }, { resurrect_delay: 0.02 })
    const delivered = deliver([{ a: 1 }])
    await new Promise((resolve) => setTimeout(resolve, 60))
    const cluster = await sink({}, { port })
    await delivered
    expect(cluster.items()).toHaveLength(1)
    expect(environment.logger.messages('warn')).toContain(
      'Attempted to resurrect connection to dead ES instance, but got an error',
    )
  })

  it('ends its waits when the pipeline has to stop', async () => {
    const cluster = await sink({ whole: () => 503 })
    const { deliver, environment } = await output(cluster, { retry_initial_interval: 60 })
    const delivered = deliver([{ a: 1 }])
    const outcome = expect(delivered).rejects.toThrow()
    await new Promise((resolve) => setTimeout(resolve, 50))
    environment.stop()
    await outcome
  })

  it('cuts batches beyond 20 MiB', async () => {
    const cluster = await sink()
    const { deliver } = await output(cluster)
    const text = 'é'.repeat(4 * 1024 * 1024)
    await deliver([{ text }, { text }, { text }, { a: 1 }])
    const bulks = cluster.requests.filter(({ path }) => path === '/_bulk').map(({ body }) => body)
    expect(bulks.map((body) => body.split('\n').length >> 1)).toEqual([2, 2])
    for (const body of bulks) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(20 * 1024 * 1024)
  })

  it('compresses when asked to, and tells who it is', async () => {
    const cluster = await sink()
    const { deliver } = await output(cluster, {
      compression_level: 3,
      user: 'u',
      password: 'p',
      custom_headers: { 'X-A': 'b' },
      parameters: { routing_path: 'x y' },
      path: '/es',
    })
    await deliver([{ a: 1 }])
    const bulk = cluster.requests.find(({ path }) => path === '/es/_bulk')!
    expect(bulk.headers['content-encoding']).toBe('gzip')
    expect(bulk.headers['authorization']).toBe(`Basic ${Buffer.from('u:p').toString('base64')}`)
    expect(bulk.headers['x-a']).toBe('b')
    expect(bulk.query).toBe('filter_path=errors,items.*.error,items.*.status&routing_path=x+y')
    expect(cluster.items()).toHaveLength(1)
  })

  it.each([
    [true, 'gzip'],
    [false, undefined],
  ])('compresses with the old option http_compression %s', async (http_compression, encoding) => {
    const cluster = await sink()
    // Says nothing about other hosts, and asks for none.
    const { deliver } = await output(cluster, { http_compression, sniffing: true, protocol: 'http' })
    await deliver([{ a: 1 }])
    const bulk = cluster.requests.find(({ path }) => path === '/_bulk')!
    expect(bulk.headers['content-encoding']).toBe(encoding)
    expect(cluster.items()).toHaveLength(1)
    expect(cluster.requests.filter(({ path }) => path.startsWith('/_nodes'))).toEqual([])
  })

  it.each([
    ['6.8.0', 'kind-x'],
    ['7.17.0', 'kind-x'],
    ['8.19.0', undefined],
  ])('writes document_type for clusters with types: %s', async (version, type) => {
    const cluster = await sink({ version })
    const { deliver } = await output(cluster, { document_type: 'kind-%{k}', index: 'i' })
    await deliver([{ k: 'x' }])
    expect(cluster.items()[0]!.meta['_type']).toBe(type)
  })

  it.each([elasticsearch, opensearch])(
    'takes ssl for the scheme of hosts without one: $name',
    async (definition) => {
      const cluster = await sink({}, { tls: true })
      const options = { hosts: [`127.0.0.1:${cluster.port}`], ssl: true, ssl_certificate_verification: false }
      const { deliver } = await output(cluster, options, {}, definition)
      await deliver([{ a: 1 }])
      expect(cluster.items()).toHaveLength(1)
    },
  )

  it('speaks TLS, with its own trust or none', async () => {
    const cluster = await sink({}, { tls: true })
    const { certificate } = await certificateFiles()
    const trusting = await output(cluster, {
      ssl_certificate_authorities: certificate,
      api_key: 'id:key',
    })
    await trusting.deliver([{ a: 1 }])
    const old = await output(cluster, { cacert: certificate })
    await old.deliver([{ a: 1 }])
    const careless = await output(cluster, { ssl: true, ssl_certificate_verification: false })
    await careless.deliver([{ a: 2 }])
    expect(cluster.items()).toHaveLength(3)
    const authorization = `ApiKey ${Buffer.from('id:key').toString('base64')}`
    expect(cluster.requests.find(({ path }) => path === '/_bulk')!.headers['authorization']).toBe(
      authorization,
    )
  })
})

describe('templates', () => {
  const puts = ({ requests }: BulkSink) => requests.filter(({ method }) => method === 'PUT')

  it('are installed before the first events, by the version of the cluster', async () => {
    const recent = await sink()
    await (await output(recent)).deliver([{ a: 1 }])
    expect(puts(recent).map(({ path }) => path)).toEqual(['/_index_template/logstash'])
    const template = JSON.parse(puts(recent)[0]!.body)
    expect(template.index_patterns).toEqual(['logstash-*'])
    expect(template.template.mappings.properties['@timestamp']).toEqual({ type: 'date' })
    const old = await sink({ version: '7.17.0' })
    await (await output(old)).deliver([{ a: 1 }])
    expect(puts(old).map(({ path }) => path)).toEqual(['/_template/logstash'])
    expect(old.items()[0]!.meta['_type']).toBeUndefined()
  })

  it('are left alone when there is one, when told so, and come from files', async () => {
    const there = await sink({
      other: ({ method, path }) => (method === 'HEAD' && path !== '/' ? 200 : undefined),
    })
    await (await output(there)).deliver([{ a: 1 }])
    expect(puts(there)).toEqual([])
    const empty = await sink()
    await (await output(empty, { manage_template: false })).deliver([{ a: 1 }])
    expect(puts(empty)).toEqual([])
    const file = join(tmpdir(), `millrace-template-${process.pid}.json`)
    await writeFile(file, '{"index_patterns": ["x-*"]}')
    const own = { template: file, template_name: 'mine', template_overwrite: true, template_api: 'legacy' }
    await (await output(there, own)).deliver([{ a: 1 }])
    expect(puts(there).map(({ path, body }) => [path, body])).toEqual([
      ['/_template/mine', '{"index_patterns":["x-*"]}'],
    ])
  })

  it('that are refused do not stop events', async () => {
    const cluster = await sink({ other: ({ method }) => (method === 'PUT' ? 403 : undefined) })
    const { deliver, environment } = await output(cluster)
    await deliver([{ a: 1 }])
    expect(cluster.items()).toHaveLength(1)
    expect(environment.logger.messages('error')).toEqual(['Failed to install template'])
  })

  it('go with an alias under lifecycle management', async () => {
    const cluster = await sink()
    const { deliver } = await output(cluster, { ilm_enabled: true, ilm_rollover_alias: 'web' })
    await deliver([{ a: 1 }])
    expect(puts(cluster).map(({ path }) => decodeURIComponent(path))).toEqual([
      '/_index_template/web',
      '/<web-{now/d}-000001>',
      '/_ilm/policy/logstash-policy',
    ])
    expect(cluster.items()[0]!.meta).toEqual({ _index: 'web' })
  })
})

describe('data streams', () => {
  const ecs: TestSettings = { ecs: 'v8' }

  it('are chosen in ECS mode when nothing speaks against it', async () => {
    const cluster = await sink()
    const { deliver } = await output(cluster, {}, ecs)
    await deliver([{ a: 1 }, { data_stream: { dataset: 'web', other: 1 } }, { data_stream: 'x' }])
    const defaults = { type: 'logs', dataset: 'generic', namespace: 'default' }
    expect(
      cluster.items().map(({ action, meta, document }) => [action, meta['_index'], document!['data_stream']]),
    ).toEqual([
      ['create', 'logs-generic-default', defaults],
      ['create', 'logs-web-default', { ...defaults, dataset: 'web', other: 1 }],
      ['create', 'logs-generic-default', defaults],
    ])
    expect(cluster.requests.filter(({ method }) => method === 'PUT')).toEqual([])
  })

  it('give way to an index', async () => {
    const cluster = await sink()
    const { deliver } = await output(cluster, { index: 'i' }, ecs)
    await deliver([{ a: 1 }])
    expect(cluster.items()[0]).toMatchObject({ action: 'index', meta: { _index: 'i' } })
    const classic = await output(cluster, { data_stream: false }, ecs)
    await classic.deliver([{ a: 1 }])
    expect(cluster.items().at(-1)!.meta).toEqual({ _index: 'ecs-logstash-2015.10.01' })
  })

  it('are named by the options, whatever the event says, without routing', async () => {
    const cluster = await sink()
    const { deliver } = await output(cluster, {
      data_stream: true,
      data_stream_type: 'metrics',
      data_stream_dataset: 'cpu',
      data_stream_namespace: 'prod',
      data_stream_auto_routing: false,
    })
    await deliver([{ data_stream: { type: 'logs' } }])
    const [item] = cluster.items()
    expect(item!.meta['_index']).toBe('metrics-cpu-prod')
    expect(item!.document!['data_stream']).toEqual({ type: 'metrics', dataset: 'cpu', namespace: 'prod' })
  })

  it('refuse options that contradict them', () => {
    expect(() => outputFor(elasticsearch, { data_stream: true, index: 'i' })).toThrow(
      'Invalid data stream configuration: ["index"]',
    )
    expect(() => outputFor(elasticsearch, { data_stream: false, data_stream_type: 'logs' })).toThrow(
      /^Ambiguous configuration/,
    )
  })
})

describe('options', () => {
  it.each([
    [{ hosts: 'http://a', ssl_enabled: true }, /^Explicit value for 'scheme' was declared/],
    [{ hosts: 'http://a/b', path: '/c' }, /^Explicit value for 'path' was declared/],
    [{ hosts: 'a', cloud_id: 'x:y' }, /^Both `cloud_id` and `hosts` specified/],
    [{ user: 'a', password: 'b', api_key: 'c:d' }, /^Multiple authentication options are specified/],
    [{ api_key: 'c:d' }, /^Using api_key authentication requires SSL/],
  ])('%o are refused', (options, message) => {
    expect(() => outputFor(elasticsearch, options)).toThrow(message)
  })

  it('name hosts in many ways', async () => {
    const shown = async (options: TestOptions) => {
      const { instance, environment } = outputFor(elasticsearch, options)
      await instance.register!()
      await instance.close!()
      return environment.logger.lines[0]!.fields!['hosts']
    }
    expect(await shown({})).toEqual(['http://127.0.0.1:9200/'])
    expect(
      await shown({ hosts: ['127.0.0.1:1', 'https://localhost', 'http://u:p@127.0.0.1:2/es/'] }),
    ).toEqual(['http://127.0.0.1:1/', 'https://localhost:9200/', 'http://127.0.0.1:2/es/'])
    expect(await shown({ host: 'es.invalid', port: 9201 })).toEqual(['http://es.invalid:9201/'])
    expect(await shown({ hosts: '[::1]', path: 'es' })).toEqual(['http://[::1]:9200/es/'])
    const cloud = `label:${Buffer.from('cloud.invalid$abc$def').toString('base64')}`
    expect(await shown({ cloud_id: cloud })).toEqual(['https://abc.cloud.invalid/'])
  })

  it('of old configurations still work', async () => {
    const cluster = await sink()
    const { deliver } = await output(
      cluster,
      {
        hosts: undefined,
        host: '127.0.0.1',
        port: cluster.port,
        flush_size: 1,
        idle_flush_time: 1,
        workers: 2,
        embedded: false,
        index: 'mine-%{a}',
      },
      {},
      elasticsearchHttp,
    )
    await deliver([{ a: 1 }])
    expect(cluster.items().map(({ meta }) => meta['_index'])).toEqual(['mine-1'])
  })
})

describe('opensearch', () => {
  it('is the same with older templates and indices by default', async () => {
    const cluster = await sink({ version: '2.11.0', distribution: 'opensearch' })
    const { deliver, environment } = await output(cluster, {}, { ecs: 'v8' }, opensearch)
    await deliver([{ a: 1 }])
    expect(cluster.items()[0]!.meta).toEqual({ _index: 'ecs-logstash-2015.10.01' })
    expect(cluster.requests.find(({ method }) => method === 'PUT')!.path).toBe('/_template/ecs-logstash')
    expect(environment.logger.messages('info')[0]).toBe('New OpenSearch output')
  })

  it('logs in, updates documents and leaves templates alone as it is told', async () => {
    const cluster = await sink({ version: '2.11.0', distribution: 'opensearch' })
    const options = {
      user: 'u',
      password: 'p',
      action: 'update',
      document_id: '1',
      doc_as_upsert: true,
      index: 'i',
    }
    const { deliver } = await output(cluster, { ...options, manage_template: false }, {}, opensearch)
    await deliver([{ a: 1 }])
    expect(cluster.items()).toMatchObject([
      { action: 'update', meta: { _index: 'i', _id: '1' }, document: { doc: { a: 1 }, doc_as_upsert: true } },
    ])
    expect(
      cluster.requests.map(({ method, path, headers }) => [method, path, headers.authorization]),
    ).toEqual([
      ['GET', '/', `Basic ${Buffer.from('u:p').toString('base64')}`],
      ['POST', '/_bulk', `Basic ${Buffer.from('u:p').toString('base64')}`],
    ])
  })
})
