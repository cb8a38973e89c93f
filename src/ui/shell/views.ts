/** The views of the dashboard: name, key after `g`, and the script that shows it. */
import type { ComponentType } from 'preact'
import { FlowView } from '../flow/flow-view.tsx'
import type { IconName } from '../parts/icons.tsx'

export interface View {
  readonly name: string
  readonly title: string
  /** After `g`. */
  readonly key: string
  readonly icon: IconName
  /** All but the first view come when they are asked for. */
  readonly load: () => Promise<ComponentType> | ComponentType
}

/** The name is that of the icon too, and with a capital letter the title. */
const view = (name: IconName, key: string, load: View['load']): View => ({
  name,
  title: name.charAt(0).toUpperCase() + name.slice(1),
  key,
  icon: name,
  load,
})

export const views: readonly View[] = [
  view('flow', 'f', () => FlowView),
  view('discover', 'd', async () => (await import('../discover/discover-view.tsx')).DiscoverView),
  view('indices', 'i', async () => (await import('../indices/indices-view.tsx')).IndicesView),
  view('tail', 't', async () => (await import('../tail/tail-view.tsx')).TailView),
  view('health', 'h', async () => (await import('../health/health-view.tsx')).HealthView),
  view('lineage', 'l', async () => (await import('../lineage/lineage-view.tsx')).LineageView),
  view('grok', 'w', async () => (await import('../grok/grok-view.tsx')).GrokView),
  view('editor', 'e', async () => (await import('../editor/editor-view.tsx')).EditorView),
  view('fleet', 'n', async () => (await import('../fleet/fleet-view.tsx')).FleetView),
]

/** How many stay in sight where there is little room; the others stand in a sheet. */
export const viewsInSight = 5

export function viewNamed(name: string | undefined): View {
  return views.find((view) => view.name === name) ?? views[0]!
}
