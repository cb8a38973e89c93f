/** Bars or curves over time, drawn by uPlot, which comes when the first chart is shown. */
import { useEffect, useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import { isDark, token } from '../shell/theme.ts'

interface ChartProps {
  /** Epoch milliseconds. */
  readonly times: readonly number[]
  readonly values: readonly number[]
  readonly height: number
  readonly kind: 'bars' | 'line'
  readonly isUtc?: boolean
  readonly label: string
  /** A range that was dragged over, in epoch milliseconds. */
  readonly onRange?: (from: number, to: number) => void
}

/** Labels of time axes, from years down to milliseconds, with what is added where the year or the day changes. */
const day = '\n{YYYY}-{MM}-{DD}'
const timeLabels: (string | number | null)[][] = [
  [31_536_000, '{YYYY}', null, null, null, null, null, null, 1],
  [2_419_200, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [86_400, '{MM}-{DD}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', day, null, day, null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', day, null, day, null, null, null, 1],
  [0.001, '{ss}.{fff}', day, null, '\n{HH}:{mm}', null, '\n{HH}:{mm}', null, 1],
]

export default function Chart({ times, values, height, kind, isUtc = false, label, onRange }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | undefined>(undefined)
  const latest = useRef<ChartProps['onRange'] | undefined>(undefined)
  latest.current = onRange
  const data = useRef<[number[], number[]]>([[], []])
  data.current = [times.map((time) => time / 1000), [...values]]
  const dark = isDark.value
  useEffect(() => {
    let isOver = false
    let observer: ResizeObserver | undefined
    void import('uplot').then(({ default: Plot }) => {
      const element = box.current
      if (isOver || element === null) return
      const axis = {
        stroke: token('muted'),
        grid: { stroke: token('line'), width: 1 },
        ticks: { stroke: token('line'), width: 1 },
        font: '11px sans-serif',
      }
      const series = {
        label,
        stroke: token('bar'),
        fill: kind === 'bars' ? token('bar') : `${token('bar')}33`,
        width: kind === 'bars' ? 0 : 1.5,
        points: { show: false },
      }
      const plot = new Plot(
        {
          width: element.clientWidth,
          height,
          tzDate: (seconds) =>
            isUtc ? Plot.tzDate(new Date(seconds * 1000), 'Etc/UTC') : new Date(seconds * 1000),
          legend: { show: false },
          cursor: { y: false, drag: { x: onRange !== undefined, y: false, setScale: false } },
          scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.05)] } },
          axes: [
            { ...axis, values: timeLabels },
            {
              ...axis,
              size: 48,
              space: 26,
              values: (_, ticks) => ticks.map((tick) => (tick >= 1000 ? `${tick / 1000}k` : String(tick))),
            },
          ],
          series: [
            {},
            kind === 'bars'
              ? { ...series, paths: Plot.paths.bars!({ size: [0.92, Number.POSITIVE_INFINITY], align: 1 }) }
              : series,
          ],
          hooks: {
            setSelect: [
              (self) => {
                const { left, width } = self.select
                if (width < 4) return
                latest.current?.(
                  Math.round(self.posToVal(left, 'x') * 1000),
                  Math.round(self.posToVal(left + width, 'x') * 1000),
                )
                self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
              },
            ],
          },
        },
        data.current,
        element,
      )
      chart.current = plot
      observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
      observer.observe(element)
    })
    return () => {
      isOver = true
      observer?.disconnect()
      chart.current?.destroy()
      chart.current = undefined
    }
  }, [dark, kind, height, isUtc, label, onRange === undefined])
  useEffect(() => chart.current?.setData(data.current), [times, values])
  return <div class="chart" ref={box} style={{ height: `${height}px` }} aria-hidden="true" />
}
