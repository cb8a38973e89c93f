/**
 * The one place that makes RegExp objects from text that is not ours. V8 can count the backtracks of a
 * RegExp and give up at a limit (`exec` then returns null), which turns a pattern that would run for
 * hours into one of some 30 ms; the function for it is an engine intrinsic, reachable while the flag
 * `--allow-natives-syntax` is set. The flag is set for the length of each call only: V8 may drop the
 * bytecode of the little function below and would have to parse its `%` again. Where the intrinsic is
 * missing, plain RegExp objects are made and `hasBacktrackLimit` is false.
 */
import { setFlagsFromString } from 'node:v8'

type LimitedRegExp = (source: string, flags: string, limit: number) => RegExp

let limited: LimitedRegExp | null | undefined

export function compileGuarded(source: string, flags: string, backtrackLimit: number): RegExp {
  if (limited === undefined) limited = findIntrinsic()
  if (limited !== null) {
    // Flags belong to the process: another thread may switch this one off between our two statements.
    for (let attempt = 0; attempt < 3; attempt++) {
      const expression = withNatives(() => limited?.(source, flags, backtrackLimit))
      if (expression !== undefined) return expression
    }
  }
  return new RegExp(source, flags)
}

/** A RegExp without a limit, for texts of our own and for runs under a clock. */
export function compileTrusted(source: string, flags: string): RegExp {
  return new RegExp(source, flags)
}

export function hasBacktrackLimit(): boolean {
  if (limited === undefined) limited = findIntrinsic()
  return limited !== null
}

function findIntrinsic(): LimitedRegExp | null {
  const made = withNatives(() => {
    const make = new Function('s', 'f', 'n', 'return %NewRegExpWithBacktrackLimit(s, f, n)') as LimitedRegExp
    // 2^27 ways to split the text, which nobody can try in time without the limit.
    const probe = make('^(?:a+)+$', '', 1000)
    return probe instanceof RegExp && probe.test('aaaa') && !probe.test(`${'a'.repeat(27)}!`)
      ? make
      : undefined
  })
  return made ?? null
}

function withNatives<T>(run: () => T): T | undefined {
  try {
    setFlagsFromString('--allow-natives-syntax')
    return run()
  } catch {
    return undefined
  } finally {
    try {
      setFlagsFromString('--no-allow-natives-syntax')
    } catch {
      // Flags that cannot be set at all were not changed either.
    }
  }
}
