import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { routesOf } from '../later-routes.ts'
import { testAgent, testSettings } from '../testing.ts'
import type { NodeView } from '../view.ts'
import { openapiDocument } from './openapi-document.ts'

interface Parameter {
  name: string
  in: string
}

interface Operation {
  operationId: string
  parameters?: (Parameter | { $ref: string })[]
}

/** Those that are shared are only referred to. */
function parametersOf({ parameters = [] }: Operation): Parameter[] {
  const shared: Record<string, Parameter> = openapiDocument.components.parameters
  return parameters.map((one) => ('$ref' in one ? shared[one.$ref.split('/').at(-1)!]! : one))
}

const operations = Object.entries(openapiDocument.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method,
    operation: operation as unknown as Operation,
  })),
)

describe('the OpenAPI document', () => {
  it('describes every route, and nothing that is not routed', () => {
    const node = {
      settings: testSettings(),
      agent: testAgent(),
      closing: new AbortController().signal,
    } as unknown as NodeView
    const routed = routesOf(node).routes.map(
      ({ method, pattern }) => `${method} ${pattern.replace(/:(\w+)/g, '{$1}')}`,
    )
    const described = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`)
    expect(described.sort()).toEqual([...new Set(routed)].sort())
  })

  it('is consistent in itself', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { path, operation } of operations) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const parameters = parametersOf(operation)
      expect([path, parameters.filter((one) => one.in === 'path').map(({ name }) => name)]).toEqual([
        path,
        named,
      ])
      expect(new Set(parameters.map((one) => `${one.in} ${one.name}`)).size).toBe(parameters.length)
    }
    const text = JSON.stringify(openapiDocument)
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
      const components: Record<string, object> = openapiDocument.components
      expect(Object.keys(components[kind]!)).toContain(name)
    }
  })

  it('is the file of the documentation', () => {
    const file = readFileSync(new URL('../../../../docs/openapi/monitoring.json', import.meta.url), 'utf8')
    // When this fails: `curl localhost:9600/_node/openapi?pretty > docs/openapi/monitoring.json`.
    expect(JSON.parse(file)).toEqual(JSON.parse(JSON.stringify(openapiDocument)))
  })
})
