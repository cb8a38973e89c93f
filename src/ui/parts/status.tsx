/** Health in a word and a colour: green, yellow, red; anything else without a colour. */
const tones: Readonly<Record<string, string>> = { green: 'ok', yellow: 'warn', red: 'bad' }

export function toneOf(status: string): string {
  return tones[status.toLowerCase()] ?? ''
}

export function Status({ word }: { word: string }) {
  return (
    <span class={`tag ${toneOf(word)}`}>
      <span class="light" aria-hidden="true" /> {word.toLowerCase()}
    </span>
  )
}
