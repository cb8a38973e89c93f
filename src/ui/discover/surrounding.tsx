/** What was written around a document: the same index by time, with query and filters off, so that nothing is hidden. */
import { useState } from 'preact/hooks'
import { askSearch } from '../api/ask.ts'
import { Dialog } from '../parts/dialog.tsx'
import { flatten, type Hit, valueText } from '../parts/documents.ts'
import { count } from '../parts/format.ts'
import { Problem, Waiting } from '../parts/states.tsx'
import { useData } from '../parts/use-data.ts'
import { type Around, aroundBody, joined } from './request.ts'
import { timeText } from './time-text.ts'

interface SurroundingProps {
  readonly hit: Hit
  readonly timeField: string
  readonly isUtc: boolean
  /** As people read it: what does not count here. */
  readonly switchedOff: readonly string[]
  readonly close: () => void
}

const step = 5
const maxEach = 100

export function Surrounding({ hit, timeField, isUtc, switchedOff, close }: SurroundingProps) {
  const [each, setEach] = useState(step)
  const time = new Map(flatten(hit._source)).get(timeField)
  const around = useData(`${hit._index} ${hit._id} ${each}`, async (signal) => {
    const path = `/${encodeURIComponent(hit._index)}/_search`
    const ask = async (side: Around) => {
      const body = aroundBody(timeField, time, hit._id, side, each)
      const answer = await askSearch<{ hits: { hits: readonly Hit[] } }>(path, {
        method: 'POST',
        body,
        signal,
      })
      return answer.hits.hits
    }
    return joined(hit, await ask('older'), await ask('newer'))
  })
  return (
    <Dialog title="Surrounding documents" close={close} isWide>
      <p class="muted">
        {count(each)} before and after in <code>{hit._index}</code>, newest first.
        {switchedOff.length > 0 && ` Not applied here: ${switchedOff.join(', ')}.`}
      </p>
      {around.error !== undefined && (
        <Problem error={around.error} doing="Looking around" retry={around.again} />
      )}
      {around.value === undefined && around.isLoading && <Waiting what="documents" />}
      {around.value && (
        <div class="scroll surrounding" tabIndex={0}>
          <table class="grid">
            <tbody>
              {around.value.map((one) => (
                <tr key={one._id} aria-selected={one._id === hit._id}>
                  <td class="mono time">{timeText(new Map(flatten(one._source)).get(timeField), isUtc)}</td>
                  <td class="surrounding-text">
                    {one._id === hit._id && <span class="unseen">This document: </span>}
                    {summaryOf(one, timeField)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div class="buttons">
        <button type="button" disabled={each >= maxEach} onClick={() => setEach(Math.min(maxEach, each * 2))}>
          Show more
        </button>
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  )
}

const maxText = 500

function summaryOf({ _source }: Hit, timeField: string): string {
  const fields = new Map(flatten(_source))
  const message = fields.get('message')
  const text =
    message !== undefined
      ? valueText(message)
      : [...fields]
          .filter(([name]) => name !== timeField)
          .map(([name, value]) => `${name}: ${valueText(value)}`)
          .join('  ')
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text
}
