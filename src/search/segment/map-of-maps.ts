/** Maps in maps: values by an owner, such as a segment whose caches end with it, and by a key. */
interface MapOfMaps<Owner, Key, Value> {
  get(owner: Owner): Map<Key, Value> | undefined
  set(owner: Owner, map: Map<Key, Value>): unknown
}

/** Returns the map of an owner; one that has none gets an empty one. */
export function mapOf<Owner, Key, Value>(maps: MapOfMaps<Owner, Key, Value>, owner: Owner): Map<Key, Value> {
  let map = maps.get(owner)
  if (map === undefined) {
    map = new Map()
    maps.set(owner, map)
  }
  return map
}
