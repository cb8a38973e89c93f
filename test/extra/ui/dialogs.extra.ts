/** Every dialog in a real browser, by keys alone: it opens, is filled in, does its work, and gives the focus back. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Millrace } from '../../support/millrace.ts'
import { launch, visit } from './browser.ts'

const documents = 5000

let browser: Browser
let millrace: Millrace
const at = (path: string) => `http://127.0.0.1:${millrace.apiPort}${path}`

beforeAll(async () => {
  browser = await launch()
  millrace = await Millrace.start({
    config: 'input { heartbeat { interval => 1 } } output { null {} }',
    api: true,
    search: true,
  })
  await millrace.untilSearchable(120_000)
  const now = Date.now()
  const lines = Array.from({ length: documents }, (_, n) => {
    const message = `order ${n} was ${n % 7 === 0 ? 'declined' : 'placed'}`
    return `{"index":{}}\n${JSON.stringify({ '@timestamp': new Date(now - n * 4000).toISOString(), n, message })}\n`
  })
  const { json } = await millrace.search('POST', '/shop/_bulk?refresh=true', lines.join(''))
  expect(json['errors']).toBe(false)
})

afterAll(async () => {
  await browser?.close()
  await millrace?.dispose()
})

/** Presses Tab until something has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let step = 0; step < 80; step += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${selector}`)
}

describe('dialogs', () => {
  it('of Discover are used by keys alone, and give the focus back', async () => {
    const { page, trouble, close } = await visit(browser)
    await page.goto(at('/ui/discover?i=shop&t=all&q=declined'))
    await page.locator('button.expander').first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowRight')
    await page.locator('.hit-detail').waitFor()
    await tabTo(page, '.hit-detail button:not([aria-pressed])')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Surrounding')
    await page.keyboard.press('Enter')
    await page.locator('dialog tbody tr').nth(5).waitFor()
    const texts = await page.locator('dialog .surrounding-text').allTextContents()
    // The newest document has none above it: 0 is shown with 1 to 5 below.
    expect(texts.map((text) => Number(/order (\d+)/.exec(text)?.[1]))).toEqual([0, 1, 2, 3, 4, 5])
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Surrounding')
    await page.getByRole('button', { name: 'More' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Saved searches…').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('dialog input').waitFor()
    await tabTo(page, 'dialog input')
    await page.keyboard.type('declined orders')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelector('dialog') === null)
    await page.goto(at('/ui/discover'))
    await page.getByRole('button', { name: 'More' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Saved searches…').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('dialog .saved-name').waitFor()
    await tabTo(page, '.saved-name')
    await page.keyboard.press('Enter')
    await page.waitForURL('**q=declined*')
    expect(trouble).toEqual([])
    await close()
  })

  it('of Indices are used by keys alone: create, reindex with its progress, merge, delete', async () => {
    const { page, trouble, close } = await visit(browser)
    await page.goto(at('/ui/indices'))
    await page.getByRole('button', { name: 'Create', exact: true }).focus()
    await page.keyboard.press('Enter')
    await tabTo(page, 'dialog input')
    await page.keyboard.type('by-hand')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'by-hand' }).waitFor()
    await page.goto(at('/ui/indices/shop'))
    await page.getByRole('button', { name: 'Reindex' }).focus()
    await page.keyboard.press('Enter')
    await tabTo(page, 'dialog input')
    await page.keyboard.type('by-hand')
    await page.keyboard.press('Tab')
    await page.keyboard.type('shop')
    await page.keyboard.press('Enter')
    await page.locator('.task', { hasText: 'is done' }).waitFor()
    expect(await page.locator('.task').textContent()).toContain(
      `${documents.toLocaleString('en')} of ${documents.toLocaleString('en')} documents`,
    )
    await millrace.search('POST', '/by-hand/_refresh')
    expect((await millrace.search('GET', '/by-hand/_count')).json['count']).toBe(documents)
    await page.goto(at('/ui/indices/by-hand'))
    await page.getByRole('button', { name: 'Force merge' }).focus()
    await page.keyboard.press('Enter')
    await tabTo(page, 'dialog input')
    await page.keyboard.type('by-hand')
    await page.keyboard.press('Enter')
    await page.locator('.task', { hasText: 'is done' }).waitFor()
    await page.locator('.task', { hasText: '1 segment' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).focus()
    await page.keyboard.press('Enter')
    await tabTo(page, 'dialog input')
    await page.keyboard.type('by-hand')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/ui/indices')
    expect((await millrace.search('GET', '/by-hand')).status).toBe(404)
    expect(trouble).toEqual([])
    await close()
  })

  it('of several indices are used by keys alone, and want their number to be typed', async () => {
    for (const name of ['old-1', 'old-2']) await millrace.search('PUT', `/${name}`)
    const { page, trouble, close } = await visit(browser)
    await page.goto(at('/ui/indices'))
    const choose = async () => {
      for (const name of ['old-1', 'old-2']) {
        await page.getByLabel(`Choose ${name}`).focus()
        await page.keyboard.press('Space')
      }
      await page.getByText('2 chosen').waitFor()
    }
    const confirm = async (button: string) => {
      await page.getByRole('button', { name: button, exact: true }).focus()
      await page.keyboard.press('Enter')
      await tabTo(page, 'dialog input')
      await page.keyboard.type('1')
      await page.keyboard.press('Enter')
      // One is not their number.
      expect(await page.locator('dialog').count()).toBe(1)
      await page.keyboard.press('Backspace')
      await page.keyboard.type('2')
      await page.keyboard.press('Enter')
      await page.waitForFunction(() => document.querySelector('dialog') === null)
    }
    await choose()
    await confirm('Close')
    await page.locator('tr', { hasText: 'old-1' }).getByText('closed').waitFor()
    await choose()
    await confirm('Delete')
    await page.getByRole('link', { name: 'old-1' }).waitFor({ state: 'detached' })
    expect((await millrace.search('GET', '/old-1,old-2')).status).toBe(404)
    expect(trouble).toEqual([])
    await close()
  })

  it('of the time range opens by its key, takes a choice, and closes by Escape', async () => {
    const { page, trouble, close } = await visit(browser)
    await page.goto(at('/ui/discover?i=shop&t=all'))
    await page.locator('button.expander').first().waitFor()
    await page.keyboard.press('t')
    await page.locator('.sheet').waitFor()
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.querySelector('.sheet') === null)
    await page.keyboard.press('t')
    await tabTo(page, '.ranges input')
    for (const text of ['now-1h', 'now']) {
      await page.keyboard.press('Control+A')
      await page.keyboard.type(text)
      if (text !== 'now') await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => /[?&]t=now-1h/.test(location.search))
    await page.waitForFunction((all) => {
      const total = Number(document.querySelector('.hit-total strong')?.textContent?.replace(/\D/g, ''))
      return total > 800 && total < all
    }, documents)
    expect(trouble).toEqual([])
    await close()
  })

  it('with the list of keys closes and gives the focus back', async () => {
    const { page, close } = await visit(browser)
    await page.goto(at('/ui/indices'))
    const create = page.getByRole('button', { name: 'Create', exact: true })
    await create.focus()
    await page.keyboard.press('?')
    await page.locator('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.querySelector('dialog') === null)
    expect(await create.evaluate((one) => one === document.activeElement)).toBe(true)
    await close()
  })
})
