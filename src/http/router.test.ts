import { describe, expect, it } from 'vitest'
import { Router } from './router.ts'

const router = new Router<string>()
  .add('GET', '/', 'root')
  .add('GET', '/_node/stats', 'stats')
  .add('GET', '/_node/stats/:parts', 'parts')
  .add('GET', '/_node/stats/hot_threads', 'hot')
  .add('GET', '/_node/stats/pipelines/:id', 'pipeline')
  .add('PUT', '/_node/logging', 'set')
  .add('GET', '/:index/_search', 'search')

describe('Router', () => {
  it('finds literals before parameters', () => {
    expect(router.find('GET', '/')).toEqual({ handler: 'root', parameters: {} })
    expect(router.find('GET', '/_node/stats/hot_threads')?.handler).toBe('hot')
    expect(router.find('GET', '/_node/stats/jvm,os')).toEqual({
      handler: 'parts',
      parameters: { parts: 'jvm,os' },
    })
    expect(router.find('GET', '/logs/_search')).toEqual({ handler: 'search', parameters: { index: 'logs' } })
    expect(router.find('GET', '/_node/_search')?.parameters).toEqual({ index: '_node' })
  })

  it('ignores a trailing slash, decodes segments, refuses empty and broken ones', () => {
    expect(router.find('GET', '/_node/stats/')?.handler).toBe('stats')
    expect(router.find('GET', '/_node/stats/pipelines/')?.parameters).toEqual({ parts: 'pipelines' })
    expect(router.find('GET', '/_node/stats/pipelines/ver%C3%A4ndern%2Fx')?.parameters).toEqual({
      id: 'verändern/x',
    })
    expect(router.find('GET', '/_node//pipelines')).toBeUndefined()
    expect(router.find('GET', '/_node/stats/%zz')).toBeUndefined()
    expect(router.find('GET', '/_node/stats/a/b')).toBeUndefined()
    expect(router.find('GET', '/__proto__')).toBeUndefined()
  })

  it('serves HEAD where it serves GET, and names the methods of a path', () => {
    expect(router.find('HEAD', '/')?.handler).toBe('root')
    expect(router.find('POST', '/')).toBeUndefined()
    expect(router.methods('/')).toEqual(['GET', 'HEAD'])
    expect(router.methods('/_node/logging')).toEqual(['PUT'])
    expect(router.methods('/nothing/here/at/all')).toEqual([])
  })

  it('gives the rest of a path to a star when no other route knows it', () => {
    const router = new Router<string>()
      .add('GET', '/ui', 'page')
      .add('GET', '/ui/*', 'view')
      .add('GET', '/ui/assets/:name', 'asset')
    const found = (path: string) => router.find('GET', path)?.handler
    expect(
      ['/ui', '/ui/', '/ui/flow', '/ui/flow/main/x', '/ui/assets/a.js', '/ui/assets/a/b'].map(found),
    ).toEqual(['page', 'page', 'view', 'view', 'asset', 'view'])
    expect(found('/uix')).toBeUndefined()
    expect(router.find('POST', '/ui/flow')).toBeUndefined()
    expect(router.methods('/ui/flow')).toEqual(['GET', 'HEAD'])
  })
})
