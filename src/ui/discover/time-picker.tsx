/** The range of time: quick choices, or two ends as people write them. */
import { useState } from 'preact/hooks'
import { CheckBox } from '../parts/check-box.tsx'
import { Icon } from '../parts/icons.tsx'
import { Menu } from '../parts/menu.tsx'
import { boundsOf, quickRanges, rangeText, type TimeRange } from './time-range.ts'

interface TimePickerProps {
  readonly range: TimeRange
  readonly isUtc: boolean
  readonly choose: (range: TimeRange) => void
  readonly setUtc: (isUtc: boolean) => void
}

export function TimePicker({ range, isUtc, choose, setUtc }: TimePickerProps) {
  return (
    <Menu
      name={`Time range: ${rangeText(range)}`}
      label={
        <>
          <Icon name="clock" /> {rangeText(range)}
        </>
      }
    >
      {(close) => (
        <Ranges
          range={range}
          isUtc={isUtc}
          setUtc={setUtc}
          choose={(next) => {
            choose(next)
            close()
          }}
        />
      )}
    </Menu>
  )
}

function Ranges({ range, isUtc, choose, setUtc }: TimePickerProps) {
  const [from, setFrom] = useState(range.from)
  const [to, setTo] = useState(range.to)
  const isRead = boundsOf({ from, to }, Date.now()) !== undefined
  return (
    <div class="ranges stack">
      <div class="quick">
        {quickRanges.map(({ name, range: quick }) => (
          <button
            key={name}
            type="button"
            class="small"
            aria-pressed={quick.from === range.from && quick.to === range.to}
            onClick={() => choose(quick)}
          >
            {name}
          </button>
        ))}
      </div>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (isRead) choose({ from: from.trim(), to: to.trim() })
        }}
      >
        <label class="stack">
          From
          <input
            value={from}
            placeholder="the beginning"
            aria-invalid={!isRead}
            onInput={(event) => setFrom(event.currentTarget.value)}
          />
        </label>
        <label class="stack">
          To
          <input
            value={to}
            placeholder="the end"
            aria-invalid={!isRead}
            onInput={(event) => setTo(event.currentTarget.value)}
          />
        </label>
        <p class="muted tiny">
          <code>now-2h</code>, <code>2026-05-04</code>, <code>2026-05-04 08:12:00Z</code>
        </p>
        <button type="submit" class="primary" disabled={!isRead}>
          Apply
        </button>
      </form>
      <CheckBox isOn={isUtc} set={setUtc}>
        show times in UTC
      </CheckBox>
    </div>
  )
}
