// The hosted page's service worker and manifest: the site keeps working without a network.
//
// Nothing here may stop the page: where storage is full or denied it is simply not kept.

(() => {
  "use strict";

  const { root, language } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset;
  // From a disk there is neither: both need an origin.
  if (!location.protocol.startsWith("http")) return;

  if (document.querySelector('link[rel="manifest"]') === null) {
    const manifest = document.createElement("link");
    manifest.rel = "manifest";
    manifest.href = `${root}app-${language}.webmanifest`;
    document.head.append(manifest);
  }
  if (!("serviceWorker" in navigator)) return;

  const notice = /** @type {HTMLElement} */ (document.getElementById("update"));
  const button = /** @type {HTMLElement} */ (document.getElementById("update-now"));

  /** @type {ServiceWorker | undefined} */
  let fresh;
  let agreed = false;

  /** @param {ServiceWorker} worker a newer version that waits for the visitor's word */
  function offer(worker) {
    fresh = worker;
    notice.hidden = false;
  }

  button.addEventListener("click", () => {
    // The form's values are in the address, so that loading anew loses nothing.
    agreed = true;
    if (fresh === undefined || fresh.state !== "installed") location.reload();
    else fresh.postMessage("update");
  });

  /** @param {ServiceWorker | null} worker offered as soon as it waits, unless it is the first */
  function follow(worker) {
    const look = () => {
      if (worker?.state === "installed" && navigator.serviceWorker.controller !== null) {
        offer(worker);
      }
    };
    worker?.addEventListener("statechange", look);
    look();
  }

  /** @param {ServiceWorkerRegistration} registration */
  function watch(registration) {
    follow(registration.waiting);
    // The browser may have looked for a new version before this script did.
    follow(registration.installing);
    registration.addEventListener("updatefound", () => follow(registration.installing));
  }

  let controlled = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    // The first worker takes over a page of its own version: nothing to load anew.
    if (!controlled) controlled = true;
    else if (agreed) location.reload();
    // Another tab agreed to the update. This page goes on as it is until its reader wants the new.
    else notice.hidden = false;
  });

  const { connection } = /** @type {Navigator & {connection?: {saveData?: boolean}}} */ (navigator);

  /** Keeping the site for later must not compete with what the visitor waits for now. */
  function afterStart() {
    const { runtime } = document.documentElement.dataset;
    // An article alone is no reason to load all of Python where the visitor wants to save data.
    if (runtime === undefined && connection?.saveData && !controlled) return;
    if (runtime !== undefined && runtime !== "ready") {
      setTimeout(afterStart, 500);
      return;
    }
    navigator.serviceWorker
      .register(`${root}sw.js`)
      .then(watch)
      .catch((error) => console.info("not kept for offline use:", error.message));
  }

  if (document.readyState === "complete") afterStart();
  else window.addEventListener("load", afterStart);
})();
