/** Signing in, in a real browser: nothing is shown before, a reader changes nothing, a session that ends loses no text. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Millrace } from '../../support/millrace.ts'
import { launch, picture, violationsOf, visit } from './browser.ts'

let browser: Browser
let millrace: Millrace
let origin = ''
const at = (path: string) => `http://127.0.0.1:${millrace.apiPort}${path}`
const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

beforeAll(async () => {
  browser = await launch()
  millrace = await Millrace.start({
    config: 'input { heartbeat { interval => 1 } } filter { mutate { add_tag => ["a"] } } output { null {} }',
    api: true,
    search: true,
    settings: 'security.enabled: true\n',
    env: { ELASTIC_PASSWORD: 'elastic password' },
  })
  await millrace.untilSearchable(120_000)
  origin = `http://127.0.0.1:${millrace.searchPort}`
  const answer = await fetch(`${origin}/_security/user/eye`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: basic('elastic', 'elastic password') },
    body: JSON.stringify({ password: 'eye password', roles: ['monitor'] }),
  })
  expect(answer.status).toBe(200)
})

afterAll(async () => {
  await browser?.close()
  await millrace?.dispose()
})

async function signIn(page: Page, user: string, password: string): Promise<void> {
  await page.locator('input[name=username]').fill(user)
  await page.locator('input[name=password]').fill(password)
  await page.keyboard.press('Enter')
}

describe('with users on', () => {
  it('shows a form and nothing else, refuses a wrong password, and goes on to the view', async () => {
    const { page, close } = await visit(browser)
    const asked: string[] = []
    page.on('response', (response) => {
      if (response.status() === 200 && /\/_node|\/ui\/search/.test(response.url())) asked.push(response.url())
    })
    await page.goto(at('/'))
    await page.locator('input[name=username]').waitFor()
    expect(asked).toEqual([])
    expect(await violationsOf(page)).toEqual([])
    await picture(page, 'sign-in')
    await signIn(page, 'elastic', 'wrong')
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').textContent()).toContain('wrong')
    await signIn(page, 'elastic', 'elastic password')
    await page.locator('.tile').first().waitFor()
    await page.goto(at('/ui/indices'))
    await page.locator('h1', { hasText: 'Indices' }).waitFor()
    // No script can read what stands for the password.
    expect(await page.evaluate(() => document.cookie)).toBe('')
    await page.getByRole('button', { name: /^Sign out/ }).click()
    await page.locator('input[name=username]').waitFor()
    await close()
  })

  it('lets a reader look, and says why buttons do nothing', async () => {
    const { page, close } = await visit(browser)
    await page.goto(at('/ui/health'))
    await signIn(page, 'eye', 'eye password')
    const reload = page.getByRole('button', { name: 'Reload main' })
    await reload.waitFor()
    expect(await reload.isDisabled()).toBe(true)
    expect(await reload.getAttribute('title')).toContain('may look')
    const answer = await page.evaluate(
      async () => (await fetch('/_node/pipelines/main/_reload', { method: 'POST' })).status,
    )
    expect(answer).toBe(403)
    await close()
  })

  it('asks again over the page when the session ends, and keeps what was typed', async () => {
    const { page, close } = await visit(browser)
    await page.goto(at('/ui/discover'))
    await signIn(page, 'elastic', 'elastic password')
    await page.locator('#query').waitFor()
    await page.locator('#query').fill('level:error')
    await page.context().clearCookies()
    await page.keyboard.press('Enter')
    await page.locator('dialog input[name=password]').waitFor()
    await signIn(page, 'elastic', 'elastic password')
    await page.waitForFunction(() => document.querySelector('dialog') === null)
    expect(await page.locator('#query').inputValue()).toBe('level:error')
    await close()
  })

  it('saves a configuration after it was checked, and refuses one that somebody else changed', async () => {
    const { page, close } = await visit(browser)
    await page.goto(at('/ui/editor/main'))
    await signIn(page, 'elastic', 'elastic password')
    const text = page.locator('.cm-content')
    await text.waitFor()
    await text.click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('# by hand\n')
    // With keys alone.
    await page.keyboard.press('Control+s')
    await page.locator('dialog .added').waitFor()
    expect(await page.locator('dialog .added ins').textContent()).toBe('# by hand')
    for (let step = 0; step < 10; step += 1) {
      await page.keyboard.press('Tab')
      if (await page.evaluate(() => document.activeElement?.textContent === 'Save')) break
    }
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelector('dialog') === null)
    const { readFileSync, writeFileSync } = await import('node:fs')
    expect(readFileSync(millrace.configPath, 'utf8').startsWith('# by hand\n')).toBe(true)
    await page.waitForFunction(() => document.querySelector('.tag.warn') === null)
    writeFileSync(millrace.configPath, `# by somebody else\n${readFileSync(millrace.configPath, 'utf8')}`)
    await text.click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('# again\n')
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.locator('dialog').getByRole('button', { name: 'Save' }).click()
    await page.locator('dialog [role=alert]').waitFor()
    expect(await page.locator('dialog [role=alert]').textContent()).toContain('somebody else')
    await close()
  })
})
