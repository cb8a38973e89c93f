/** Where the parts of the dashboard are that have rules of their own. */
export const fleetPath = '/ui/fleet'
export const searchPrefix = '/ui/search'
export const sessionPath = '/ui/session'
