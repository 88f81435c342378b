// Before the first paint: the theme that was chosen, else what the system prefers.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('gpuyard.theme');
  } catch (error) {
    // A browser that keeps nothing still gets the system's theme.
  }
  var dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
