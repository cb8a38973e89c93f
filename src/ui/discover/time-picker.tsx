/** The range of time: quick choices, or two ends as people write them. */
import { useState } from 'preact/hooks'
import { CheckBox } from '../parts/check-box.tsx'
import { Form } from '../parts/form.tsx'
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
      <Form class="stack" submit={() => isRead && choose({ from: from.trim(), to: to.trim() })}>
        <Bound title="From" none="the beginning" value={from} set={setFrom} isRead={isRead} />
        <Bound title="To" none="the end" value={to} set={setTo} isRead={isRead} />
        <p class="muted tiny">
          <code>now-2h</code>, <code>2026-05-04</code>, <code>2026-05-04 08:12:00Z</code>
        </p>
        <button type="submit" class="primary" disabled={!isRead}>
          Apply
        </button>
      </Form>
      <CheckBox isOn={isUtc} set={setUtc}>
        show times in UTC
      </CheckBox>
    </div>
  )
}

interface BoundProps {
  readonly title: string
  /** What an empty box means. */
  readonly none: string
  readonly value: string
  readonly set: (value: string) => void
  readonly isRead: boolean
}

function Bound({ title, none, value, set, isRead }: BoundProps) {
  return (
    <label class="stack">
      {title}
      <input
        value={value}
        placeholder={none}
        aria-invalid={!isRead}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </label>
  )
}
