yard_bench(list SOURCES ${CMAKE_CURRENT_LIST_DIR}/list_bench.cc LINKS yard_api_testing)
