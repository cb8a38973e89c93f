/** A sentence of the node in which names stand between backticks, as code. */
export function Worded({ text }: { text: string }) {
  return (
    <>
      {text
        .split('`')
        .map((piece, index) => (index % 2 === 1 ? <code key={String(index)}>{piece}</code> : piece))}
    </>
  )
}
