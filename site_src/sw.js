// The service worker: keeps the whole site on the visitor's device and answers from there first.
//
// One cache a version, named after the content. A new version is fetched beside the old one and
// waits until the visitor agrees to it (page message "update"), or every page of the old is closed.

"use strict";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const root = new URL("./", worker.location.href);

// Sites of other paths, perhaps copies of this one, may share the origin and so its caches.
const OURS = `llm-vram ${root.pathname} `;
const CACHE = `${OURS}VERSION_HERE`;
const FILES = ["FILES_HERE"];

worker.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      // "no-cache" asks the server whether the browser's own copy is still good
      await cache.addAll(
        FILES.map((file) => new Request(new URL(file, root), { cache: "no-cache" })),
      );
    })(),
  );
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) {
        if (name.startsWith(OURS) && name !== CACHE) await caches.delete(name);
      }
      await worker.clients.claim();
    })(),
  );
});

worker.addEventListener("message", (event) => {
  if (event.data === "update") worker.skipWaiting();
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || !url.href.startsWith(root.href)) return;
  event.respondWith(answer(request, url));
});

/** @param {Request} request @param {URL} url @returns {Promise<Response>} */
async function answer(request, url) {
  const found = await (request.mode === "navigate" ? keptPage(url) : kept(url));
  if (found !== undefined) return found;
  try {
    return await fetch(request);
  } catch (error) {
    // Of another version, but better than none: parts of the runtime tell whether they fit.
    const other = await kept(url, { ignoreSearch: true });
    if (other === undefined) throw error;
    return other;
  }
}

/**
 * A file from the cache; none where storage fails, so that the network is asked.
 *
 * @param {URL} url @param {MultiCacheQueryOptions} [options]
 */
async function kept(url, options) {
  try {
    return await caches.match(url, { cacheName: CACHE, ...options });
  } catch {
    return undefined;
  }
}

/** A page: the same for all values of its form, which stand in the query. @param {URL} url */
async function keptPage(url) {
  const page = new URL(url);
  page.search = "";
  if (!page.pathname.endsWith("/")) {
    const found = await kept(page);
    if (found !== undefined) return found;
    // Links in the page count on the slash, which a server adds by sending the browser on.
    page.pathname += "/";
    const folder = await kept(new URL("index.html", page));
    return folder && Response.redirect(`${page.href}${url.search}`);
  }
  return kept(new URL("index.html", page));
}
