/** Distances on the earth as a sphere of mean radius. */
const earthRadius = 6_371_008.7714

const radians = Math.PI / 180

/** Converts meters to degrees of latitude. */
export function degreesOf(meters: number): number {
  return meters / earthRadius / radians
}

/** Great-circle distance in meters (haversine). */
export function arcDistance(
  latitude1: number,
  longitude1: number,
  latitude2: number,
  longitude2: number,
): number {
  const x1 = latitude1 * radians
  const x2 = latitude2 * radians
  const h1 = (1 - Math.cos(x1 - x2)) / 2
  const h2 = (1 - Math.cos((longitude1 - longitude2) * radians)) / 2
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(h1 + Math.cos(x1) * Math.cos(x2) * h2)))
}

/** Distance in meters on a plane: faster, and wrong over long distances. */
export function planeDistance(
  latitude1: number,
  longitude1: number,
  latitude2: number,
  longitude2: number,
): number {
  const x = (longitude2 - longitude1) * radians * Math.cos(((latitude2 + latitude1) / 2) * radians)
  const y = (latitude2 - latitude1) * radians
  return Math.sqrt(x * x + y * y) * earthRadius
}
