/** A curve the size of a word. */
function sparkPath(values: readonly number[], width: number, height: number): string {
  if (values.length < 2) return ''
  const top = Math.max(...values, 1e-9)
  const step = width / (values.length - 1)
  return values
    .map(
      (value, index) =>
        `${index === 0 ? 'M' : 'L'}${(index * step).toFixed(1)},${(height - 1 - (value / top) * (height - 2)).toFixed(1)}`,
    )
    .join('')
}

export function Spark({ values }: { values: readonly number[] }) {
  const line = sparkPath(values, 100, 28)
  return (
    <svg class="spark" viewBox="0 0 100 28" preserveAspectRatio="none" aria-hidden="true">
      {line !== '' && <path class="area" d={`${line}L100,28L0,28Z`} />}
      <path d={line} />
    </svg>
  )
}
