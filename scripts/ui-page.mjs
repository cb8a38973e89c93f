// The page around the dashboard's scripts: gathers the style sheets, the icon and index.html, under names that hold a hash
// of their content. A plugin of the bundler, so that the page names the scripts as they were written.
import { readFileSync } from 'node:fs'

/** In the order of the cascade: tokens first, then what all views share, then the views. */
const sheets = ['tokens', 'base', 'shell', 'flow', 'discover', 'health', 'indices', 'grok', 'views']

const squeezed = (css) =>
  css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s*\n\s*/g, '')
    .replace(/\s*([{};,])\s*/g, '$1')
    .replace(/;}/g, '}')

/** The dark tokens once more for those who chose no theme: the page is dark before its script has run. */
const withSystemTheme = (css) => {
  const [dark, body] = /:root\[data-theme="dark"\] (\{[^}]*\})/.exec(css)
  const system = `@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) ${body} }`
  return css.replace(dark, `${dark}\n${system}`)
}

export function uiPage() {
  return {
    name: 'ui-page',
    generateBundle(_, bundle) {
      const own = sheets.map((name) => readFileSync(`src/ui/style/${name}.css`, 'utf8')).join('\n')
      const charts = readFileSync('node_modules/uplot/dist/uPlot.min.css', 'utf8')
      const emit = (name, source) => this.getFileName(this.emitFile({ type: 'asset', name, source }))
      const style = emit('style.css', squeezed(`${charts}\n${withSystemTheme(own)}`))
      const icon = emit('icon.svg', readFileSync('src/ui/icon.svg', 'utf8'))
      const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry)
      const scripts = [entry.fileName, ...entry.imports]
      const preloads = scripts.slice(1).map((file) => `<link rel="modulepreload" href="/ui/${file}">`)
      this.emitFile({
        type: 'asset',
        fileName: 'index.html',
        source: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Millrace</title>
<link rel="icon" href="/ui/${icon}" type="image/svg+xml">
<link rel="stylesheet" href="/ui/${style}">
${preloads.join('\n')}
<script type="module" src="/ui/${entry.fileName}"></script>
</head>
<body>
<div id="app"><p class="starting">Millrace is loading…</p></div>
<noscript><p class="starting">The dashboard needs JavaScript. Programs find the same figures at /_node/stats.</p></noscript>
</body>
</html>
`,
      })
    },
  }
}
