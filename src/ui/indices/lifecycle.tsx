/** Policies that move or delete indices as they age. */
import { askSearch } from '../api/ask.ts'
import { JsonView } from '../parts/json-view.tsx'
import { useData } from '../parts/use-data.ts'

export function Lifecycle() {
  const policies = useData('policies', (signal) =>
    askSearch<Readonly<Record<string, unknown>>>('/_ilm/policy', { signal }),
  )
  const names = Object.entries(policies.value ?? {})
  if (policies.value === undefined) return null
  return (
    <section class="card" aria-label="Lifecycle">
      <header>
        <h2>Lifecycle</h2>
      </header>
      {names.length === 0 ? (
        <p class="body muted">No policy is set: indices stay until they are deleted.</p>
      ) : (
        <ul class="body stack">
          {names.map(([name, policy]) => (
            <li key={name}>
              <details>
                <summary>
                  <strong>{name}</strong>
                </summary>
                <JsonView value={policy} label={`Policy ${name}`} />
              </details>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
