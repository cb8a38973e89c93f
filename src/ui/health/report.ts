/** The health report as a list: the worst first, each with what is wrong, what follows from it and what to do. */
interface Indicator {
  readonly status: string
  readonly symptom: string
  readonly diagnosis?: readonly {
    readonly cause: string
    readonly action: string
    readonly help_url?: string
  }[]
  readonly impacts?: readonly { readonly severity: number; readonly description: string }[]
  readonly details?: unknown
  readonly indicators?: Readonly<Record<string, Indicator>>
}

export interface HealthReport {
  readonly status: string
  readonly symptom: string
  readonly indicators: Readonly<Record<string, Indicator>>
  readonly timestamp?: string
}

export interface Finding {
  /** `pipelines / main`. */
  readonly name: string
  readonly indicator: Indicator
}

const order = ['red', 'yellow', 'unknown', 'green']

export function rank(status: string): number {
  const at = order.indexOf(status.toLowerCase())
  return at < 0 ? order.indexOf('unknown') : at
}

/** Indicators that consist of others are left out: those say it better. */
export function findingsOf({ indicators }: HealthReport): Finding[] {
  const walk = (inner: Readonly<Record<string, Indicator>>, path: string): Finding[] =>
    Object.entries(inner).flatMap(([name, indicator]) => {
      const own = path === '' ? name : `${path} / ${name}`
      const children = indicator.indicators
      if (children !== undefined && Object.keys(children).length > 0) return walk(children, own)
      return { name: own, indicator }
    })
  return walk(indicators, '').sort((a, b) => rank(a.indicator.status) - rank(b.indicator.status))
}
