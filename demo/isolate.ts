// Shared memory on a static host. In: a page without the headers for cross-origin isolation. Out: the same
// page, reloaded once under a service worker that adds them. False where that cannot be.
export async function isolate(): Promise<boolean> {
  if (crossOriginIsolated) return true;
  if (!isSecureContext || !('serviceWorker' in navigator)) return false;
  await navigator.serviceWorker.register('./isolation.js');
  await navigator.serviceWorker.ready;
  // Once only: a host whose own headers say otherwise would reload for ever.
  if (sessionStorage.getItem('isolated') === 'tried') return false;
  sessionStorage.setItem('isolated', 'tried');
  location.reload();
  return new Promise(() => {}); // nothing is to begin on a page that is on its way out
}
