// Sends bulk requests, and insists that every document was taken.
const HEAD_BYTES = 200

export async function sendBulk(connection, index, { bytes }) {
  const answer = await connection.send({ path: `/${index}/_bulk`, type: 'application/x-ndjson', body: bytes })
  const head = answer.toString('utf8', 0, HEAD_BYTES)
  if (!head.includes('"errors":false')) throw new Error(`a document was refused: ${head}`)
}
