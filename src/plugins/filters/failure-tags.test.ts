/** Filters that ask a server tag events whose request failed, with the tags they are told. */
import { expect, it } from 'vitest'
import type { FilterDefinition } from '../../plugin/define.ts'
import { runFilter, type TestOptions } from '../../plugin/testing.ts'
import elasticsearch from './elasticsearch.ts'
import http from './http.ts'
import rest from './rest.ts'

const nobody = 'http://127.0.0.1:1'

it.each<[string, FilterDefinition, TestOptions]>([
  ['rest', rest, { request: { url: nobody }, target: 't', tag_on_rest_failure: ['mine'] }],
  ['http', http, { url: nobody, tag_on_request_failure: ['mine'] }],
  [
    'elasticsearch',
    elasticsearch,
    { hosts: [nobody], query: '*', tag_on_failure: ['mine'], retry_on_failure: 0 },
  ],
])('%s', async (_, definition, options) => {
  expect(await runFilter(definition, options, [{ a: 1 }])).toMatchObject([{ a: 1, tags: ['mine'] }])
})
