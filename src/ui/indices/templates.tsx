/** Templates that give new indices their settings and mappings. */
import { askSearch } from '../api/ask.ts'
import { JsonView } from '../parts/json-view.tsx'
import { Problem } from '../parts/states.tsx'
import { useData } from '../parts/use-data.ts'

interface IndexTemplates {
  readonly index_templates: readonly {
    readonly name: string
    readonly index_template: { readonly index_patterns?: readonly string[]; readonly priority?: number }
  }[]
}

export function Templates() {
  const templates = useData('templates', async (signal) => {
    const [current, old] = await Promise.all([
      askSearch<IndexTemplates>('/_index_template', { signal }),
      askSearch<Readonly<Record<string, { readonly index_patterns?: readonly string[] }>>>('/_template', {
        signal,
      }),
    ])
    return [
      ...current.index_templates.map(({ name, index_template }) => ({
        name,
        kind: 'index template',
        patterns: index_template.index_patterns ?? [],
        body: index_template as unknown,
      })),
      ...Object.entries(old).map(([name, body]) => ({
        name,
        kind: 'legacy template',
        patterns: body.index_patterns ?? [],
        body: body as unknown,
      })),
    ]
  })
  if (templates.error !== undefined)
    return <Problem error={templates.error} doing="Reading the templates" retry={templates.again} />
  if (templates.value === undefined || templates.value.length === 0) return null
  return (
    <section class="card" aria-label="Templates">
      <header>
        <h2>Templates</h2>
      </header>
      <ul class="body stack">
        {templates.value.map(({ name, kind, patterns, body }) => (
          <li key={`${kind} ${name}`}>
            <details>
              <summary>
                <strong>{name}</strong> <span class="muted">{kind}</span> <code>{patterns.join(', ')}</code>
              </summary>
              <JsonView value={body} label={`Template ${name}`} />
            </details>
          </li>
        ))}
      </ul>
    </section>
  )
}
