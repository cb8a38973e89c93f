/** A list to choose one of several values from. */
interface ChoiceProps<Value extends string | number> {
  readonly label: string
  readonly value: Value | undefined
  readonly values: readonly Value[]
  /** How a value is shown; as it is unless given. */
  readonly text?: (value: Value) => string
  readonly choose: (value: Value) => void
}

export function Choice<Value extends string | number>(props: ChoiceProps<Value>) {
  const { label, value, values, text = String, choose } = props
  return (
    <select
      aria-label={label}
      value={value === undefined ? undefined : String(value)}
      onChange={(event) => {
        const chosen = values.find((one) => String(one) === event.currentTarget.value)
        if (chosen !== undefined) choose(chosen)
      }}
    >
      {values.map((one) => (
        <option key={one} value={one}>
          {text(one)}
        </option>
      ))}
    </select>
  )
}
