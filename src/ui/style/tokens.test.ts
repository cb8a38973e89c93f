/** Contrasts of the tokens as WCAG 2.2 computes them: 4.5 for text, 3 for parts of controls. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

function themeOf(selector: string): Map<string, string> {
  const body = css.slice(css.indexOf(`${selector} {`)).split('}')[0]!
  return new Map([...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name!, value!]))
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

describe.each([
  ['light', ':root'],
  ['dark', ':root[data-theme="dark"]'],
])('the %s theme', (_, selector) => {
  const theme = themeOf(selector)
  const failing = (fronts: string, backs: string, least: number) =>
    fronts
      .split(' ')
      .flatMap((front) => backs.split(' ').map((back) => [front, back] as const))
      .filter(([front, back]) => contrast(theme.get(front)!, theme.get(back)!) < least)

  it('can be read', () => {
    expect(theme.size).toBeGreaterThan(20)
    const words = 'text muted accent ok warn bad input filter condition output'
    expect(failing(words, 'bg surface raised sunken selected', 4.5)).toEqual([])
    expect(failing('text', 'mark added removed', 4.5)).toEqual([])
    expect(failing('on-accent', 'accent', 4.5)).toEqual([])
    expect(failing('bg', 'bad', 4.5)).toEqual([])
  })

  it('has controls that can be seen', () => {
    expect(failing('border bar accent', 'bg surface raised', 3)).toEqual([])
  })
})

it('both themes have the same colours', () => {
  expect([...themeOf(':root[data-theme="dark"]').keys()]).toEqual([...themeOf(':root').keys()])
})
