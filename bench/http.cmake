find_package(Boost 1.81 REQUIRED)
add_executable(http_bench ${CMAKE_CURRENT_LIST_DIR}/http_bench.cc)
target_link_libraries(http_bench PRIVATE yard_http Boost::headers Threads::Threads)
add_dependencies(benches http_bench)
