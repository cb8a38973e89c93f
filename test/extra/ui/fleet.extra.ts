/** The fleet view over three processes: one that works, one that stands still, one that was killed. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Millrace } from '../../support/millrace.ts'
import { launch, visit } from './browser.ts'

const config =
  'input { generator { message => "x" count => 0 threads => 1 } } filter { sleep { time => 0.01 every => 1 } } output { null {} }'
const startMilliseconds = 90_000
const nodes: Millrace[] = []
let viewer: Millrace
let browser: Browser

beforeAll(async () => {
  for (const name of ['works', 'stands', 'dies']) {
    const node = await Millrace.start({ config, api: true, settings: `node.name: ${name}\n` })
    nodes.push(node)
    await node.untilStarted(startMilliseconds)
  }
  viewer = await Millrace.start({
    config: 'input { heartbeat { interval => 1 } } output { null {} }',
    api: true,
    settings: `api.ui.fleet: [${nodes.map(({ apiPort }) => `"http://127.0.0.1:${apiPort}"`).join(', ')}]\n`,
  })
  await viewer.untilStarted(startMilliseconds)
  for (const node of nodes)
    await node.apiUntil(
      '/_node/stats/events',
      (body) => (body['events'] as { out: number }).out > 0,
      startMilliseconds,
    )
  browser = await launch()
})
afterAll(async () => {
  for (const node of nodes) node.signal('SIGCONT')
  await browser?.close()
  await Promise.all([viewer, ...nodes].map((node) => node?.dispose()))
})

const reading = async (n: number, name: string) => {
  const begin = performance.now()
  const answer = await fetch(`http://127.0.0.1:${viewer.apiPort}/ui/fleet/${n}/${name}`)
  const body = (await answer.json()) as { name?: string; error?: { message: string } }
  return { status: answer.status, body, milliseconds: performance.now() - begin }
}

describe('the fleet', () => {
  it('shows three nodes, and keeps the rows of those that are silent', async () => {
    const { page, close } = await visit(browser)
    await page.goto(`http://127.0.0.1:${viewer.apiPort}/ui/fleet`)
    for (const [n, name] of ['works', 'stands', 'dies'].entries())
      expect(await reading(n, 'root')).toMatchObject({ status: 200, body: { name, status: 'green' } })
    await page.locator('tbody tr .tag').nth(2).waitFor()

    nodes[1]!.signal('SIGSTOP')
    nodes[2]!.signal('SIGKILL')
    await nodes[2]!.exit()
    expect(await reading(0, 'stats')).toMatchObject({ status: 200 })
    const stopped = await reading(1, 'root')
    expect(stopped.status).toBe(502)
    expect(stopped.body.error!.message).not.toBe('')
    // One that says nothing must not keep the page waiting.
    expect(stopped.milliseconds).toBeLessThan(10_000)
    const killed = await reading(2, 'root')
    expect(killed).toMatchObject({
      status: 502,
      body: { error: { message: expect.stringMatching(/ECONNREFUSED/) } },
    })

    await page.locator('tbody tr.silent').nth(1).waitFor()
    const rows = await page.locator('tbody tr').allTextContents()
    expect(rows[0]).toMatch(/Millrace.*works.*green/)
    expect(rows[1]).toMatch(/Millrace.*stands.*silent for \d+ s/)
    expect(rows[2]).toMatch(/Millrace.*dies.*silent for \d+ s/)

    nodes[1]!.signal('SIGCONT')
    for (let left = 50; left > 0 && (await reading(1, 'root')).status !== 200; left--);
    expect(await reading(1, 'root')).toMatchObject({ status: 200, body: { name: 'stands' } })
    await page.waitForFunction(() => document.querySelectorAll('tbody tr.silent').length === 1)
    await close()
  })
})
