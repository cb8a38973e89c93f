/** Buckets of the stand-in for S3: path style, whole objects, multipart uploads, listings in pages of three. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'

interface TestObject {
  readonly bytes: Buffer
  readonly headers: IncomingHttpHeaders
  readonly modified: Date
}

const pageSize = 3

export class TestBuckets {
  /** Objects by `bucket/key`. */
  readonly objects = new Map<string, TestObject>()
  readonly requests: string[] = []
  readonly names = new Set<string>()
  /** Status of the next requests whose line contains the text. */
  readonly refusals = new Map<string, number>()
  readonly #parts = new Map<string, Buffer[]>()

  put(place: string, bytes: Buffer | string, modified = new Date(Date.now() - 60_000)): void {
    this.names.add(place.slice(0, place.indexOf('/')))
    this.objects.set(place, { bytes: Buffer.from(bytes), headers: {}, modified })
  }

  answer(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const { method, headers } = request
    const url = new URL(request.url!, 'http://127.0.0.1')
    const place = decodeURIComponent(url.pathname.slice(1)).replace(/\/$/, '')
    const line = `${method} ${place}${url.search}`
    this.requests.push(line)
    for (const [text, status] of this.refusals) {
      if (!line.includes(text)) continue
      response.writeHead(status).end(`<Error><Code>Refused</Code><Message>${status}</Message></Error>`)
      return
    }
    const query = url.searchParams
    const [bucket = ''] = place.split('/')
    const send = (status: number, text: string | Buffer = '', more = {}) =>
      response.writeHead(status, { 'content-type': 'application/xml', ...more }).end(text)
    if (!this.names.has(bucket) && method !== 'PUT') send(404, '<Error><Code>NoSuchBucket</Code></Error>')
    else if (place === bucket && method === 'PUT') {
      this.names.add(bucket)
      send(200)
    } else if (!this.names.has(bucket)) send(404, '<Error><Code>NoSuchBucket</Code></Error>')
    else if (place === bucket && method === 'HEAD') send(200)
    else if (query.get('list-type') === '2') send(200, this.#listing(bucket, query))
    else if (method === 'POST' && query.has('uploads')) {
      this.#parts.set(place, [])
      send(200, '<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>')
    } else if (method === 'PUT' && query.has('partNumber')) {
      this.#parts.get(place)![Number(query.get('partNumber')) - 1] = body
      send(200, '', { etag: `"${query.get('partNumber')}"` })
    } else if (method === 'POST' && query.has('uploadId')) {
      const bytes = Buffer.concat(this.#parts.get(place)!)
      this.objects.set(place, { bytes, headers, modified: new Date() })
      send(200, '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
    } else if (method === 'PUT' && headers['x-amz-copy-source'] !== undefined) {
      const source = this.objects.get(decodeURIComponent(String(headers['x-amz-copy-source'])))!
      this.objects.set(place, { ...source, modified: new Date() })
      send(200, '<CopyObjectResult></CopyObjectResult>')
    } else if (method === 'PUT') {
      this.objects.set(place, { bytes: body, headers, modified: new Date() })
      send(200)
    } else if (method === 'DELETE') {
      this.objects.delete(place)
      send(204)
    } else this.#get(place, method === 'HEAD', send)
  }

  #get(
    place: string,
    isHead: boolean,
    send: (status: number, text?: Buffer | string, more?: object) => void,
  ): void {
    const object = this.objects.get(place)
    if (object === undefined) send(404, '<Error><Code>NoSuchKey</Code></Error>')
    else {
      const facts = { 'last-modified': object.modified.toUTCString(), 'x-amz-meta-who': 'me', etag: '"e"' }
      send(200, isHead ? '' : object.bytes, { ...facts, 'content-type': 'text/plain' })
    }
  }

  #listing(bucket: string, query: URLSearchParams): string {
    const prefix = `${bucket}/${query.get('prefix') ?? ''}`
    const places = [...this.objects.keys()].filter((place) => place.startsWith(prefix)).sort()
    const from = Number(query.get('continuation-token') ?? 0)
    const next = from + pageSize < places.length ? from + pageSize : undefined
    const contents = places.slice(from, from + pageSize).map((place) => {
      const { bytes, modified } = this.objects.get(place)!
      const key = `<Key>${place.slice(bucket.length + 1)}</Key>`
      const time = `<LastModified>${modified.toISOString()}</LastModified>`
      return `<Contents>${key}${time}<Size>${bytes.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`
    })
    const more =
      next === undefined
        ? ''
        : `<IsTruncated>true</IsTruncated><NextContinuationToken>${next}</NextContinuationToken>`
    return `<ListBucketResult>${contents.join('')}${more}</ListBucketResult>`
  }
}
