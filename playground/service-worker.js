// Keeps every file of the page. The build puts in the list and its version; each version has a store of its own, so that
// a page never gets files of two versions.
const STORE = `curvad-playground-${'VERSION'}`;
const FILES = ['FILES'];

addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(STORE)
      .then((store) => store.addAll(FILES))
      .then(() => skipWaiting()),
  );
});

addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => name.startsWith('curvad-playground-') && name !== STORE))
      .then((old) => Promise.all(old.map((name) => caches.delete(name))))
      .then(() => clients.claim()),
  );
});

addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET' || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(
    caches
      .open(STORE)
      // Servers that answer by origin say so in Vary; the files are the same for all.
      .then((store) => store.match(event.request, { ignoreSearch: true, ignoreVary: true }))
      .then((kept) => kept ?? fetch(event.request)),
  );
});
