/** Reads events from TCP connections, as a server or as a client. */
import { defineTcpInput } from './tcp/input.ts'

export default defineTcpInput({
  name: 'tcp',
  summary: 'Reads events from TCP connections, as a server or as a client.',
})
