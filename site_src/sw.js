// The service worker: keeps the whole site on the visitor's device and answers from there first.
//
// One cache a version, named after the content. A new version is fetched beside the old one and
// waits until the visitor agrees to it (page message "update"), or every page of the old is closed.

"use strict";

const CACHE = "llm-vram-VERSION_HERE";
const FILES = ["FILES_HERE"];

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const root = new URL("./", worker.location.href);

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
        if (name.startsWith("llm-vram-") && name !== CACHE) await caches.delete(name);
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
  const cache = await caches.open(CACHE);
  if (request.mode === "navigate") {
    // A form's values stand in the query; the page is the same for all of them.
    url.search = "";
    url.hash = "";
    if (url.pathname.endsWith("/")) url.pathname += "index.html";
    return (await cache.match(url)) ?? fetch(request);
  }
  return (await cache.match(request)) ?? fetch(request);
}
