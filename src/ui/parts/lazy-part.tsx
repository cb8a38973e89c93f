/** A part of a view whose script comes when it is first shown. */
import { type ComponentChildren, type ComponentType, createElement } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Problem, Waiting } from './states.tsx'

export function lazyPart<Props extends object>(
  what: string,
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): (props: Props) => ComponentChildren {
  let known: ComponentType<Props> | undefined
  return (props) => {
    const [part, setPart] = useState(() => known)
    const [error, setError] = useState<unknown>()
    useEffect(() => {
      if (part !== undefined || error !== undefined) return
      load().then(({ default: loaded }) => {
        known = loaded
        setPart(() => loaded)
      }, setError)
    }, [part, error])
    if (error !== undefined)
      return <Problem error={error} doing={`Loading ${what}`} retry={() => setError(undefined)} />
    return part === undefined ? <Waiting what={what} /> : createElement(part, props)
  }
}
