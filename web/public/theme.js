// Before the first paint: the theme that was chosen, else what the system prefers; the icon's address.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('gpuyard.theme');
  } catch (error) {
    // A browser that keeps nothing still gets the system's theme.
  }
  var dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  // The server names the icon relative to the page, whose address changes while it stays.
  var icon = document.querySelector('link[rel=icon]');
  if (icon) icon.href = icon.href;
})();
