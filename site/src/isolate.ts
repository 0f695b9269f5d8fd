// Shared memory on a host that sends no headers for it: a service worker adds them, and the page is loaded once more. In: the
// address of the service worker. Where it cannot be, programs run with messages.
export async function isolate(script: string): Promise<void> {
  if (crossOriginIsolated || !isSecureContext || !('serviceWorker' in navigator)) return;
  // Once only: a host whose own headers say otherwise would reload for ever.
  if (sessionStorage.getItem('isolated') === 'tried') return;
  sessionStorage.setItem('isolated', 'tried');
  try {
    await navigator.serviceWorker.register(script);
    await navigator.serviceWorker.ready;
  } catch {
    return; // switched off by the user
  }
  location.reload();
  await new Promise(() => {}); // nothing is to begin on a page that is on its way out
}
