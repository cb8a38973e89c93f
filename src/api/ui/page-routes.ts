/**
 * `/ui`: the dashboard. Every path below it is the same page, which looks at the address itself; what stands in
 * `/ui/assets` has a hash of its content in its name and may be kept for ever. The headers let the page run its own
 * scripts and talk to its own server, and nothing else.
 */
import { type Reply, text } from '../../http/respond.ts'
import type { Router } from '../../http/router.ts'
import type { Handler, HttpRequest } from '../../http/service.ts'
import { type PageFile, PageFiles } from './page-files.ts'

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}

const oneYear = 'public, max-age=31536000, immutable'

export function addPageRoutes(router: Router<Handler>, files = new PageFiles()): void {
  const page: Handler = async (request) => {
    const found = await files.find('index.html')
    if (found === undefined) return text('The dashboard is not built: `npm run build` does it.\n', 404)
    return answer(request, found, 'no-cache')
  }
  router.add('GET', '/ui', page)
  router.add('GET', '/ui/*', page)
  router.add('GET', '/ui/assets/:name', async (request) => {
    const found = await files.find(`assets/${request.parameters['name']}`)
    return found === undefined ? text('Not Found\n', 404) : answer(request, found, oneYear)
  })
}

function answer({ headers }: HttpRequest, { bytes, type, tag }: PageFile, keep: string): Reply {
  const isKnown = headers['if-none-match'] === tag
  return {
    status: isKnown ? 304 : 200,
    type,
    content: { pieces: isKnown ? [] : [bytes] },
    headers: { ...pageHeaders, 'cache-control': keep, etag: tag },
  }
}
