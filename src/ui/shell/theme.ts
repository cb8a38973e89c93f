/** Light, dark, or as the system says; remembered in this browser. */
import { effect, signal } from '@preact/signals'
import { recall, remember } from './preferences.ts'

type Theme = 'system' | 'light' | 'dark'

const themes: readonly Theme[] = ['system', 'light', 'dark']
const system = matchMedia('(prefers-color-scheme: dark)')

export const theme = signal<Theme>(themes.find((known) => known === recall('theme')) ?? 'system')
/** What is shown: charts draw their colours themselves. */
export const isDark = signal(system.matches)

export function nextTheme(): Theme {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length]!
  remember('theme', theme.value)
  return theme.value
}

export function applyTheme(): void {
  const apply = () => {
    isDark.value = theme.value === 'dark' || (theme.value === 'system' && system.matches)
    document.documentElement.dataset['theme'] = isDark.value ? 'dark' : 'light'
  }
  effect(apply)
  system.addEventListener('change', apply)
}

/** The value of a token as it is now. */
export function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
}
