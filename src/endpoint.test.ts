import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { start } from './index.ts'

async function put(url: string, path: string, body: unknown): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'PUT', headers, body: JSON.stringify(body) })
  return response.status
}

async function count(url: string): Promise<unknown> {
  const response = await fetch(`${url}/tea/_count`)
  return ((await response.json()) as { count?: number }).count
}

it('gives an endpoint on a free port that forgets everything in the end', async () => {
  const endpoint = await start()
  expect(await put(endpoint.url, '/tea/_doc/1?refresh=true', { name: 'sencha' })).toBe(201)
  expect(await count(endpoint.url)).toBe(1)
  await endpoint.stop()
  const other = await start({ flavor: 'opensearch' })
  expect(await count(other.url)).toBe(undefined)
  const about = (await (await fetch(other.url)).json()) as { version: { distribution?: string } }
  expect(about.version.distribution).toBe('opensearch')
  await other.stop()
})

it('keeps documents in a directory when it is given one', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'millrace-endpoint-'))
  try {
    const first = await start({ directory })
    expect(await put(first.url, '/tea/_doc/1', { name: 'oolong' })).toBe(201)
    await first.stop()
    const second = await start({ directory })
    expect(await count(second.url)).toBe(1)
    await second.stop()
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
