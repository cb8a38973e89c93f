// An HTTP server that answers everything at once with a small JSON text: what no search can be faster than.
import { createServer } from 'node:http'

const [port] = process.argv.slice(2)
createServer((request, response) => {
  request.resume().on('end', () => response.end('{"hits":{"total":{"value":0}}}'))
}).listen(Number(port), '127.0.0.1')
